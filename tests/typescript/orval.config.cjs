module.exports = {
  hidalgo: { input: "./openapi.json", output: { target: "./generated/orval/client.ts", client: "fetch", mode: "split" } },
};
