// Times come from the server in UTC; people read them in their own zone.

const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

function localise() {
  for (const element of document.querySelectorAll("time[datetime]")) {
    element.textContent = format.format(new Date(element.dateTime));
  }
}

localise();
document.addEventListener("refreshed", localise);
