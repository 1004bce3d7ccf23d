// The job page: state and bounds during the search, the player once there is a solution.

import { showBoard, Solution } from "./solution.js";
import { Activity, Improvement } from "./activity.js";
import { History } from "./history.js";
import { JobPoller, removeCancelButton } from "./job_poller.js";
import { StateView } from "./state_view.js";
import { setUpTabs } from "../tabs.js";
import { setUpSolutionExport, setUpShareButton, setUpStopButton, setUpNotification } from "./buttons.js";

// If they cannot be read.
const NO_DETAILS = {
  threshold: null,
  nodes_per_s: 0,
  seconds_left: null,
  threshold_seconds_left: null,
  queue_position: null,
  trials: null,
};

const isOver = (view) => view.finished_at !== null;

const root = document.getElementById("job");
const url = root.dataset.url;

const stateView = new StateView(root);
const activity = new Activity(root, url, showDetails);
const boundsHistory = new History(root, url);
const improvement = new Improvement(root, boundsHistory);
const solution = new Solution(root, url);

let job = null; // the newest

async function onView(newJob) {
  job = newJob;
  const over = isOver(job);
  if (over || !activity.details) await activity.read();
  if (newJob !== job) return; // a newer one arrived meanwhile
  const view = showDetails();
  activity.show(view, over);
  boundsHistory.show(view, over);
  if (view.upper_bound !== null) solution.offer(view.upper_bound);
  notifyAtEnd(view, over);
  if (over) removeCancelButton(root);
}

/** Show the job with the details of its activity, which change more often, and return both as one. */
function showDetails() {
  const over = isOver(job);
  const view = { ...NO_DETAILS, ...job, ...activity.details, nodes: job.nodes };
  stateView.show(view, over);
  improvement.show(view, over);
  return view;
}

const poller = new JobPoller(root, `${url}?brief=true`, { onView, isOver }, `${url}/events?brief=true`);

const notifyAtEnd = setUpNotification(root, () => poller.pollInBackground());

showBoard(root);
setUpTabs(root.querySelector('[role="tablist"]'));
setUpSolutionExport(root, url);
setUpShareButton(root);
setUpStopButton(root, url, () => poller.start());
poller.start();
