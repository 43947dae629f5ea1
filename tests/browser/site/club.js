// A site of another author: its readers sign in at the service (OAuth), and play there with the client of the service.
const asked = new URL(location.href).searchParams;
for (const name of ["service", "clientId", "scope"]) {
  if (asked.has(name)) sessionStorage.setItem(name, asked.get(name));
}
const service = sessionStorage.getItem("service");
const { Hidalgo, OAuth, sample } = await import(`${service}/client/hidalgo.js`);
const oauth = new OAuth(service, {
  clientId: sessionStorage.getItem("clientId"),
  redirectUri: location.origin + "/",
  scope: sessionStorage.getItem("scope") ?? "read play",
});

const button = document.querySelector("#sign-in");
button.onclick = async () => location.assign(await oauth.begin());
button.disabled = false; // not before: the module that it needs comes from another site

/** Look at every commit whether it brings a question; the stream ends with the game. */
async function play(hidalgo, game, seen) {
  let known = 0;
  for await (const commit of hidalgo.stream(game)) {
    seen.push(commit.version);
    while (commit.version > known) {
      const { version, decisions } = await hidalgo.decisions(game);
      for (const decision of decisions) await hidalgo.move(game, sample(decision.schema));
      if (!decisions.length) known = version;
    }
  }
}

if (asked.has("code") || asked.has("error")) {
  history.replaceState(null, "", "/");
  try {
    const tokens = await oauth.finish("http://club/?" + asked);
    const hidalgo = new Hidalgo(service, { token: tokens.access_token, retryFor: 60 });
    const me = await hidalgo.me();
    window.club = { hidalgo, oauth, tokens, seen: [], play: (game) => play(hidalgo, game, window.club.seen) };
    document.querySelector("#who").textContent = me.handle;
  } catch (error) {
    document.querySelector("#refused").textContent = error.code;
  }
}
