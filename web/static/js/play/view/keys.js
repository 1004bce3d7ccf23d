// The keyboard: arrows and WASD move a tile; with Shift, all tiles in that direction.
//
// Letters work only while the board has the focus, so that they do not interfere with speech input or
// typing elsewhere; arrows also work while nothing has the focus.

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
const LETTERS = ["w", "s", "a", "d"];

export class Keys {
  /**
   * @param {HTMLElement} host the board
   * @param {import("../game/session.js").Session} session
   */
  constructor(host, session) {
    this.host = host;
    this.session = session;
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  #press(event) {
    const isOnBoard = event.target === this.host;
    if (event.altKey || (!isOnBoard && event.target !== document.body)) return;
    const isHandled = event.ctrlKey || event.metaKey ? this.#command(event) : this.#move(event, isOnBoard);
    if (isHandled) event.preventDefault();
  }

  #move(event, isOnBoard) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const arrow = ARROWS.indexOf(key);
    const move = arrow >= 0 || !isOnBoard ? arrow : LETTERS.indexOf(key);
    if (move < 0) return false;
    this.session.slide(move, event.shiftKey ? this.session.game.countMovable(move) : 1);
    return true;
  }

  #command(event) {
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) this.session.undo();
    else if (key === "y" || key === "z") this.session.redo();
    else return false;
    return true;
  }
}
