// A place in the solution as part of the page's address, `#move=12`: who opens it sees that board, and
// the address goes along with the player, so that it can be copied at any time.

const QUIET_MS = 400; // browsers refuse to change an address many times a second

/** The move that an address names; null where it names none. */
export function moveOf(hash) {
  const named = /^#move=(\d{1,12})$/.exec(hash);
  return named ? Number(named[1]) : null;
}

export class MoveAddress {
  constructor() {
    addEventListener("hashchange", () => {
      const move = moveOf(location.hash);
      if (move !== null) this.player?.go(move);
    });
  }

  /** Go along with a player from now on. */
  follow(player) {
    this.player = player;
    player.onPlace = (position) => this.#note(position);
  }

  #note(position) {
    this.position = position;
    this.due ??= setTimeout(() => {
      this.due = null;
      const { pathname, search } = location;
      const hash = this.position ? `#move=${this.position}` : "";
      if (hash !== location.hash) history.replaceState(history.state, "", pathname + search + hash);
    }, QUIET_MS);
  }
}
