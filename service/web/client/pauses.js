// Pauses between tries, and limits on waiting.

const FIRST_PAUSE = 0.1;
const LONGEST_PAUSE = 5;

function now() {
  return performance.now() / 1000;
}

/**
 * Seconds before the next try. None at first, as an idle connection may just have been closed; then longer and longer.
 * @param {number} attempt
 */
function backoff(attempt) {
  return attempt ? Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt) * (0.5 + Math.random() / 2) : 0;
}

/**
 * A little more, so that clients that were sent away together do not come back together.
 * @param {number} pause
 */
function jittered(pause) {
  return pause * (1 + Math.random() / 10);
}

/**
 * @param {number} pause
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
function sleep(pause, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, pause * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * A signal that follows another one, and fires by itself after so many seconds unless it is told to wait anew.
 * @param {AbortSignal | undefined} signal
 * @param {number} limit
 */
function linked(signal, limit) {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const late = () => controller.abort(new Error(`nothing came for ${limit} seconds`));
  let timer = setTimeout(late, limit * 1000);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    again() {
      clearTimeout(timer);
      timer = setTimeout(late, limit * 1000);
    },
    release() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    },
    abort: () => controller.abort(),
  };
}

export { backoff, jittered, linked, now, sleep };
