// The job page: state and bounds during the search, the player once there is a solution.

import { fill } from "../board/board_rendering.js";
import { showBoard, Solution } from "./solution.js";
import { Activity } from "./activity.js";
import { History } from "./history.js";
import { JobPoller } from "./job_poller.js";
import { ImprovementPanel } from "./improvement.js";
import { StateView } from "./state_view.js";
import { setUpSolutionExport } from "./solution_export.js";
import { setUpShareButton } from "./share_button.js";
import { removeCancelButton } from "./cancel_button.js";
import { setUpCancelDialog } from "./cancel_dialog.js";
import { setUpNotification } from "./notification.js";

const isOver = (view) => view.finished_at !== null;

const root = document.getElementById("job");
const texts = JSON.parse(document.getElementById("content").dataset.texts);
const url = root.dataset.url;
const part = (name) => root.querySelector(`[data-part="${name}"]`);

const stateView = new StateView(root, texts);
const activity = new Activity(root, url, texts);
const boundsHistory = new History(root, url, texts);
const improvement = new ImprovementPanel(root, texts, boundsHistory);
const solution = new Solution(root, url, texts);

function onView(view) {
  const over = isOver(view);
  stateView.show(view, over);
  activity.show(view, over);
  improvement.show(view, over);
  boundsHistory.show(view, over);
  if (view.upper_bound !== null) solution.offer(view.upper_bound);
  notifyAtEnd(view, over);
  if (over) removeCancelButton(root);
}

const listener = {
  onView,
  isOver,
  onDisconnect(seconds) {
    part("connection-lost").textContent = fill(texts.lost, { seconds });
    part("connection-lost").hidden = false;
  },
  onReconnect() {
    part("connection-lost").hidden = true;
  },
};
const poller = new JobPoller(`${url}?brief=true`, listener, `${url}/events?brief=true`);

const notifyAtEnd = setUpNotification(root, texts, () => poller.pollInBackground());

showBoard(root);
setUpSolutionExport(root, url, texts);
setUpShareButton(root, texts);
setUpCancelDialog(root, url, texts, () => poller.start());
poller.start();
