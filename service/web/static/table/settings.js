// What a reader has chosen for all tables, kept in this browser.

const NAME = "hidalgo.table";

export class Settings {
  constructor(defaults) {
    this.values = { ...defaults, ...stored() };
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
    try {
      localStorage.setItem(NAME, JSON.stringify(this.values));
    } catch {
      // A browser that keeps nothing keeps it as long as the page is open.
    }
  }
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) ?? {};
  } catch {
    return {};
  }
}
