// What the tests of the JavaScript client share: the client itself, and a way to the service that can be cut.

import net from "node:net";

export * from "../../../../service/web/client/hidalgo.js";

export const URL_OF_SERVICE = process.env.HIDALGO_URL ?? "";

/**
 * A way to the service that a test can cut. `refuse` lets no connection in; `loseAnswers` forwards that many requests,
 * and ends their connections when the answer comes.
 */
export async function tunnel(t) {
  const { hostname, port } = new URL(URL_OF_SERVICE);
  const open = new Set();
  const way = { url: "", refuse: false, loseAnswers: 0, connections: 0, lost: 0, cut: () => open.forEach((s) => s.destroy()) };
  const server = net.createServer((client) => {
    if (way.refuse) return client.destroy();
    way.connections++;
    const service = net.connect(Number(port), hostname);
    for (const socket of [client, service]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        client.destroy();
        service.destroy();
      });
    }
    client.pipe(service);
    service.on("data", (piece) => {
      if (way.loseAnswers <= 0) return client.write(piece);
      way.loseAnswers--;
      way.lost++;
      client.destroy();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    way.cut();
    server.close();
  });
  way.url = `http://127.0.0.1:${server.address().port}`;
  return way;
}

/** A server that answers as it is told: `answer(request, response, body)`. */
export async function fake(t, answer) {
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => answer(request, response, body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

export function json(response, status, body, headers = {}) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

export async function all(items) {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
}
