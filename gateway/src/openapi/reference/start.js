// Shows the reference: the OpenAPI document, with the guides as its introduction, and the store and the credentials that the
// reader enters once for all operations. They stay in the tab.

// The library would otherwise test whether it may use eval, which the policy of the page forbids.
globalThis.__zod_globalConfig = { jitless: true }

const library = document.querySelector('link[rel=modulepreload]').href
const [{ createApiReference }, description, guides] = await Promise.all([
  import(library),
  load('/openapi.json').then((response) => response.json()),
  load('/docs/guides.md').then((response) => response.text()),
])
const form = document.querySelector('form')
const fields = [...form.querySelectorAll('input')]
for (const field of fields) field.value = sessionStorage.getItem(field.name) ?? ''

const reference = createApiReference('#reference', configuration())
document.querySelector('#loading').remove()

form.addEventListener('change', update)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  update()
  toggle(false)
})

const button = document.querySelector('nav > button')
button.addEventListener('click', () => toggle(button.ariaExpanded === 'false'))

// Enter opens the first result of the search. The library opens only a result that an arrow key has chosen.
document.addEventListener(
  'keydown',
  ({ key, isComposing, target }) => {
    if (key !== 'Enter' || isComposing || !target.matches('[role=search] input:not([aria-activedescendant])')) return
    target.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
  },
  { capture: true },
)

function toggle(open) {
  button.ariaExpanded = String(open)
}

function update() {
  for (const field of fields) sessionStorage.setItem(field.name, entered(field.name))
  reference.updateConfiguration(configuration())
}

function entered(name) {
  return form.elements[name].value.trim()
}

function schemeOf(path) {
  if (path.startsWith('/v1/stores/')) return 'APIKey'
  return path.startsWith('/v1/delivery/') ? 'Gameserver' : 'Customer'
}

function configuration() {
  return {
    content: withStore(description, entered('store')),
    authentication: {
      securitySchemes: {
        APIKey: { value: credential('APIKey', entered('key')) || 'APIKey YOUR_API_KEY' },
        Customer: { value: credential('Customer', entered('token')) || 'Customer CUSTOMER_TOKEN' },
        GameServer: { value: 'Gameserver GAME_SERVER_TOKEN' },
      },
    },
    // Credentials can also be entered in the form of a request.
    onRequestBuilt: ({ request }) => {
      const value = request.headers.get('authorization')
      if (value) request.headers.set('authorization', credential(schemeOf(new URL(request.url).pathname), value))
    },
    // Each operation shows the fields of its schemas. As results of a search, they would hide the operations.
    hideModels: true,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients: hiddenClients(),
    // Nothing is loaded from or sent to other hosts.
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    defaultOpenFirstTag: false,
    onLoaded: openGuides,
    persistAuth: false,
  }
}

/** Shows the guides in the navigation. The library can open only the first group of operations. */
function openGuides() {
  document.querySelector('aside [data-sidebar-id$="/introduction"] button[aria-expanded=false]')?.click()
}

/** Adds the scheme to a key or token, which many readers omit. */
function credential(scheme, value) {
  return value === '' || value.toLowerCase().startsWith(`${scheme.toLowerCase()} `) ? value : `${scheme} ${value}`
}

/** The document with the guides, and with this gateway and the store in each operation and sample that names them. */
function withStore(document, storeId) {
  const copy = structuredClone(document)
  copy.info.description = guides
  for (const operation of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    for (const sample of operation['x-codeSamples'] ?? []) {
      sample.source = sample.source.replace(/(?<=baseUrl: ')[^']+/, location.origin)
      if (storeId !== '') sample.source = sample.source.replace(/(?<=storeId: ')[^']+/, storeId.replaceAll(/\D/g, ''))
    }
    for (const parameter of storeId === '' ? [] : (operation.parameters ?? [])) {
      if (parameter.name === 'storeId' || parameter.name === 'x-service-store-id') parameter.example = storeId
    }
  }
  return copy
}

/** All but the clients of curl, Python, PHP and Java that most readers know. The document has the samples of our SDK. */
function hiddenClients() {
  const others = 'c clojure csharp dart fsharp go http js julia kotlin node objc ocaml powershell r ruby rust swift'
  return {
    ...Object.fromEntries(others.split(' ').map((target) => [target, true])),
    shell: ['wget', 'httpie'],
    python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
    php: ['guzzle', 'laravel'],
    java: ['asynchttp', 'okhttp', 'unirest'],
  }
}

async function load(path) {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response
}
