// Shows times in the time zone of the browser. Without script, they are labeled UTC.

const options = { dateStyle: 'long', timeStyle: 'short' }

function showLocalTimes() {
  for (const time of document.querySelectorAll('time[datetime]:not([data-local])')) {
    time.dataset.local = 'true'
    time.textContent = new Intl.DateTimeFormat(time.lang, options).format(new Date(time.dateTime))
  }
}

showLocalTimes()
// A coupon replaces a part of the page.
new MutationObserver(showLocalTimes).observe(document.querySelector('main'), { childList: true, subtree: true })
