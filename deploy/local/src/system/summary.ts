import type { DemoStore } from './demo-request.ts'

/** What `npm start` prints at the end: addresses, keys, and commands to paste. */
export function summary(
  { baseUrl, pagesUrl, checkoutUrl, mailboxUrl }: Addresses,
  cells: readonly { cell: number; stores: readonly DemoStore[] }[],
  folder: string,
): string {
  const all = cells.flatMap(({ stores }) => stores)
  const width = Math.max(...all.map(({ game }) => game.length))
  const rust = all.find(({ game }) => game === 'rust')
  // Its players sign in with a name alone.
  const minecraft = all.find(({ game }) => game === 'minecraft')
  return [
    '',
    `Storekeep is running at ${baseUrl}`,
    ...(minecraft === undefined || pagesUrl === undefined
      ? []
      : [`Store page         ${pagesUrl}/store/${minecraft.slug}`]),
    `Interactive docs   ${baseUrl}/docs`,
    ...(checkoutUrl === undefined ? [] : [`Checkout page      ${checkoutUrl}`]),
    ...(mailboxUrl === undefined ? [] : [`Mailbox            ${mailboxUrl}`]),
    '',
    ...cells.flatMap(({ cell, stores }) => [
      `Demo stores${cells.length > 1 ? ` of cell ${cell}` : ''} (game, store id, API key)`,
      ...stores.map(({ game, id, api_key }) => `  ${game.padEnd(width)}  ${id}  ${api_key}`),
      '',
    ]),
    ...(rust?.game_server_token === undefined ? [] : gameServer(baseUrl, rust.game_server_token, folder)),
    'Sign-in flow: look up a player (404 for a new one), create the customer, issue a token, get the signed-in customer',
    ...(rust ? signInFlow(baseUrl, rust) : []),
    '',
    `Data, logs and keys are in ${folder}. Press Ctrl-C to stop.`,
    '',
  ].join('\n')
}

interface Addresses {
  baseUrl: string
  /** Of the pages; undefined if the system runs elsewhere. */
  pagesUrl?: string
  checkoutUrl: string | undefined
  /** Shows the emails to customers; undefined if the system runs elsewhere. */
  mailboxUrl?: string
}

/** Shows the commands of paid products in another terminal. */
function gameServer(baseUrl: string, token: string, folder: string): string[] {
  const settings = `STOREKEEP_URL=${baseUrl} STATE_FILE='${folder}/rcon-bridge.json' RCON_PASSWORD=storekeep GAME_SERVER_TOKEN=${token}`
  return [
    'Game server: paste this into another terminal, pay on the checkout page, and see its command arrive',
    '  node deploy/examples/fake-rcon-server.mjs &',
    `  ${settings} node deploy/examples/rcon-bridge.mjs`,
    '',
  ]
}

/** Signs in a new player every time it is pasted. */
function signInFlow(baseUrl: string, { id, api_key }: DemoStore): string[] {
  return [
    `  BASE=${baseUrl} STORE=${id} STEAM_ID=765611990$(date +%s | tail -c 9) KEY='Authorization: APIKey ${api_key}'`,
    `  curl -s -H "$KEY" "$BASE/v1/stores/$STORE/customers/lookup?steam_id=$STEAM_ID"; echo`,
    `  CUSTOMER=$(curl -s -H "$KEY" -H 'Content-Type: application/json' -d "{\\"steam_id\\":\\"$STEAM_ID\\"}" $BASE/v1/stores/$STORE/customers | grep -o '"id":"[0-9]*"' | head -n 1 | tr -dc 0-9)`,
    `  TOKEN=$(curl -s -H "$KEY" -X POST $BASE/v1/stores/$STORE/customers/$CUSTOMER/tokens | cut -d '"' -f 4)`,
    `  curl -s -H "Authorization: Customer $TOKEN" -H "x-service-store-id: $STORE" $BASE/v1/store/customer; echo`,
  ]
}
