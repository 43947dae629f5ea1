// Refusals of the service, by the way on.

/** The service refused. `code` is stable and for programs, `message` is a sentence for people. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} detail
   * @param {{ rule?: string | null, requestId?: string | null, retryAfter?: number | null, errors?: any,
   *   type?: string | null, cause?: unknown }} [more]
   */
  constructor(status, code, detail, more = {}) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    /** The page that explains the code. */
    this.type = more.type ?? null;
    /** The rule that was broken, as docs/rules.md names it. */
    this.rule = more.rule ?? null;
    /** Names the request to the operator of the service. */
    this.requestId = more.requestId ?? null;
    /** Seconds to wait before the next try. */
    this.retryAfter = more.retryAfter ?? null;
    /** The fields that were wrong, where the service names them. */
    this.errors = more.errors ?? null;
  }
}

/** Not a request that this service knows: the program must be mended. */
export class Unreadable extends Problem {}
/** Understood, but the rules forbid it: choose again. */
export class RuleBroken extends Problem {}
/** Another player is asked, or the question was answered already: look at the game again. */
export class NotYourDecision extends Problem {}
/** The game is not at that point: it has not begun, it is over, the seat is taken. */
export class NotNow extends Problem {}
/** The game has moved on since the version you named. */
export class Changed extends Problem {}
/** There is nothing there, or nothing that you may see. */
export class NotFound extends Problem {}
/** The token or session is missing, wrong or revoked. */
export class Unauthorized extends Problem {}
/** The token is good, but not for this. */
export class Forbidden extends Problem {}
/** Too many requests: wait for `retryAfter` seconds. */
export class RateLimited extends Problem {}
/** The service cannot be reached, or cannot work at the moment. The same request may be sent again. */
export class Unavailable extends Problem {}

/** @type {Record<string, typeof Problem>} */
const BY_CODE = {
  rule_broken: RuleBroken,
  not_your_decision: NotYourDecision,
  not_now: NotNow,
  unreadable: Unreadable,
  invalid: Unreadable,
};

/** @type {Record<number, typeof Problem>} */
const BY_STATUS = {
  400: Unreadable,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  412: Changed,
  413: Unreadable,
  415: Unreadable,
  429: RateLimited,
  502: Unavailable,
  503: Unavailable,
  504: Unavailable,
};

/**
 * The error for a refusal, of the service or of a proxy, which knows nothing of problem details.
 * @param {number} status
 * @param {Headers} headers
 * @param {string} text
 */
function problem(status, headers, text) {
  const about = details(text);
  const code = String(about.code || about.error || `http_${status}`);
  const kind = BY_CODE[code] ?? BY_STATUS[status] ?? Problem;
  const detail = about.detail || about.error_description || about.title || `the service answered ${status}`;
  return new kind(status, code, String(detail), {
    type: about.type,
    rule: about.rule,
    requestId: about.request_id || headers.get("X-Request-Id"),
    retryAfter: seconds(headers.get("Retry-After")),
    errors: about.errors,
  });
}

/**
 * @param {string} text
 * @returns {Record<string, any>}
 */
function details(text) {
  try {
    const about = JSON.parse(text);
    return about && typeof about === "object" ? about : {};
  } catch {
    return {};
  }
}

/**
 * Retry-After in seconds. As a date it says nothing to a clock that may be wrong.
 * @param {string | null} text
 */
function seconds(text) {
  return text && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}

/**
 * The error for a request without any answer. A browser does not say more of a site that may not ask (CORS).
 * @param {string} url
 * @param {unknown} error
 */
function unreachable(url, error) {
  const cause = error instanceof Error ? error : new Error(String(error));
  const reason = cause.cause instanceof Error ? cause.cause.message || cause.message : cause.message;
  return new Unavailable(0, "unreachable", `no answer from ${url}: ${reason}`, { cause });
}

export { problem, unreachable };
