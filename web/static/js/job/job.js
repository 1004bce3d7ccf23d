// The page of a job: state and bounds while the search runs, the player once there is a solution.

import { fill } from "../board/make_board.js";
import { showBoard, Solution } from "./solution.js";
import { History } from "./history.js";
import { JobWatch } from "./poll.js";
import { ImprovementPanel } from "./improvement.js";
import { RunFigures } from "./run_figures.js";
import { StateView } from "./state_view.js";
import { setUpFiles } from "./files.js";
import { setUpShare } from "./share.js";
import { setUpCancel } from "./cancel.js";
import { setUpNotice } from "./notice.js";

const isOver = (view) => view.finished_at !== null;

const root = document.getElementById("job");
const words = JSON.parse(document.getElementById("content").dataset.words);
const address = root.dataset.address;
const part = (name) => root.querySelector(`[data-part="${name}"]`);

const stateView = new StateView(root, words);
const improvement = new ImprovementPanel(root, words);
const runFigures = new RunFigures(root, words);
const history = new History(root, address, words);
const solution = new Solution(root, address, words);

function onView(view) {
  const over = isOver(view);
  stateView.show(view, over);
  improvement.show(view, over);
  runFigures.show(view);
  history.show(view, over);
  if (view.upper_bound !== null) solution.offer(view.upper_bound);
  tellAtEnd(view, over);
  if (over) part("cancel")?.remove();
}

const watch = new JobWatch(`${address}?brief=true`, {
  onView,
  isOver,
  onLost(seconds) {
    part("lost").textContent = fill(words.lost, { seconds });
    part("lost").hidden = false;
  },
  onBack() {
    part("lost").hidden = true;
  },
});

const tellAtEnd = setUpNotice(root, words, () => watch.followHidden());

showBoard(root);
setUpFiles(root, address, words);
setUpShare(root, words);
setUpCancel(root, address, words, () => watch.start());
watch.start();
