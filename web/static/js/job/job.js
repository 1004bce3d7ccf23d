// The job page: state and bounds during the search, the player once there is a solution.

import { fill } from "../board/board_rendering.js";
import { showBoard, Solution } from "./solution.js";
import { Activity } from "./activity.js";
import { History } from "./history.js";
import { JobPoller } from "./job_poller.js";
import { ImprovementPanel } from "./improvement.js";
import { RunFigures } from "./run_figures.js";
import { StateView } from "./state_view.js";
import { setUpSolutionExport } from "./solution_export.js";
import { setUpShareButton } from "./share_button.js";
import { setUpCancelDialog } from "./cancel_dialog.js";
import { setUpNotification } from "./notification.js";

const isOver = (view) => view.finished_at !== null;

const root = document.getElementById("job");
const words = JSON.parse(document.getElementById("content").dataset.words);
const address = root.dataset.address;
const part = (name) => root.querySelector(`[data-part="${name}"]`);

const stateView = new StateView(root, words);
const activity = new Activity(root, address, words);
const runFigures = new RunFigures(root, words);
const boundsHistory = new History(root, address, words);
const improvement = new ImprovementPanel(root, words, boundsHistory);
const solution = new Solution(root, address, words);

function onView(view) {
  const over = isOver(view);
  stateView.show(view, over);
  activity.show(view, over);
  improvement.show(view, over);
  runFigures.show(view);
  boundsHistory.show(view, over);
  if (view.upper_bound !== null) solution.offer(view.upper_bound);
  notifyAtEnd(view, over);
  if (over) part("cancel")?.remove();
}

const poller = new JobPoller(`${address}?brief=true`, {
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

const notifyAtEnd = setUpNotification(root, words, () => poller.pollInBackground());

showBoard(root);
setUpSolutionExport(root, address, words);
setUpShareButton(root, words);
setUpCancelDialog(root, address, words, () => poller.start());
poller.start();
