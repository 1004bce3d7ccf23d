// Shows the server's UTC times in the visitor's time zone.

const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

function showLocalTimes() {
  for (const element of document.querySelectorAll("time[datetime]")) {
    element.textContent = format.format(new Date(element.dateTime));
  }
}

showLocalTimes();
document.addEventListener("refreshed", showLocalTimes);
