import type { Address, Email } from 'postal-mime'

export interface Mail extends Email {
  /** 1, 2, 3 … in the order of their arrival. */
  number: number
}

/** The list of emails. @param mails newest first */
export function mailboxPage(mails: readonly Mail[]): string {
  const rows = mails.map(
    (mail) =>
      `<tr><td><a href="/mails/${mail.number}">${escapeHtml(mail.subject ?? '(no subject)')}</a></td><td>${escapeHtml(recipientOf(mail))}</td><td>${escapeHtml(mail.date ?? '')}</td></tr>`,
  )
  const list =
    rows.length === 0
      ? '<p>No emails yet. Pay on the checkout page, then reload this page.</p>'
      : `<table><thead><tr><th>Subject</th><th>To</th><th>Date</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return layout('Mailbox', `<h1>Mailbox</h1>\n<p>What the demo stores have sent to their customers.</p>\n${list}`)
}

/** One email, as HTML and as plain text. */
export function mailPage(mail: Mail): string {
  const { number, subject = '(no subject)', from, replyTo, messageId, html, text } = mail
  const headers = [
    ['From', from ? nameOf(from) : ''],
    ['Reply to', (replyTo ?? []).map(nameOf).join(', ')],
    ['To', recipientOf(mail)],
    ['Message-ID', messageId ?? ''],
  ] as const
  const rows = headers.map(([label, value]) =>
    value === '' ? '' : `<tr><th scope="row">${label}</th><td>${escapeHtml(value)}</td></tr>`,
  )
  const frame = html === undefined ? '' : `<iframe title="Email" src="/mails/${number}/html"></iframe>`
  return layout(
    subject,
    `<p><a href="/">Mailbox</a></p>
<h1>${escapeHtml(subject)}</h1>
<table>${rows.join('')}</table>
${frame}
<h2>Plain text</h2>
<pre>${escapeHtml(text ?? '')}</pre>`,
  )
}

function layout(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .4rem 1rem .4rem 0; border-bottom: 1px solid #8884; vertical-align: top }
iframe { width: 100%; height: 48rem; margin-top: 1rem; border: 1px solid #8884; background: #fff }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body>
${content}
</body>
</html>
`
}

function recipientOf({ to }: Email): string {
  return (to ?? []).map(nameOf).join(', ')
}

function nameOf({ name, address = '' }: Address): string {
  return name === '' ? address : `${name} <${address}>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
