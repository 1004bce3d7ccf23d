// Links to a position in the solution, such as `#move=12`. The URL follows the player, so that it can be
// copied at any time.

const UPDATE_DELAY_MS = 400; // browsers limit how often the URL can be changed

/** Return the move in a URL fragment, or null if there is none. */
export function parseMoveLink(hash) {
  const match = /^#move=(\d{1,12})$/.exec(hash);
  return match ? Number(match[1]) : null;
}

export class MoveLink {
  constructor() {
    addEventListener("hashchange", () => {
      const move = parseMoveLink(location.hash);
      if (move !== null) this.player?.go(move);
    });
  }

  /** Follow a player from now on. */
  follow(player) {
    this.player = player;
    player.onPositionChange = (position) => this.#scheduleUpdate(position);
  }

  #scheduleUpdate(position) {
    this.position = position;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      const { pathname, search } = location;
      const hash = this.position ? `#move=${this.position}` : "";
      if (hash !== location.hash) history.replaceState(history.state, "", pathname + search + hash);
    }, UPDATE_DELAY_MS);
  }
}
