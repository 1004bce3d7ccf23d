// The browser tab: its title shows the state of a running search, and its icon has a dot, which changes at the end.

export class Tab {
  constructor(root, texts) {
    this.icons = { searching: root.dataset.iconSearching, ended: root.dataset.iconEnded };
    this.page = `${root.dataset.pageTitle} · Tilework`;
    this.states = texts.states;
    this.icon = document.querySelector('link[rel="icon"]');
    this.wasRunning = false;
  }

  show(state, verdict, over) {
    this.wasRunning ||= !over;
    document.title = over ? `${verdict} · ${this.page}` : `${this.states[state]} · ${verdict} · ${this.page}`;
    if (this.wasRunning) this.icon.href = over ? this.icons.ended : this.icons.searching;
  }
}
