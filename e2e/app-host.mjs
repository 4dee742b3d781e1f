// A chat client that shows MCP apps: the official client and bridge in this process, and
// a page whose sandboxed frame has the policy of the specification.
import { createServer } from 'node:http'
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const extension = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }

// connect resolves to an official client of the site that can show apps.
export async function connect(site, capabilities = { extensions: extension }) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${site.url}/api/mcp`)))
  return client
}

// policy returns the content security policy that the specification prescribes.
const policy = ({ resourceDomains = [] } = {}) => {
  const own = resourceDomains.join(' ')
  return `default-src 'none'; script-src 'self' 'unsafe-inline' ${own}; style-src 'self' 'unsafe-inline' ${own}; connect-src 'self'; img-src 'self' data: ${own}; ` +
    `font-src 'self' ${own}; media-src 'self' data: ${own}; frame-src 'none'; object-src 'none'; base-uri 'self'`
}

// openApp calls a tool, opens its app in a page of a browser context, and passes it the
// result. It resolves to the frame, the bridge, the links that the app opened, the calls it
// made, the context it gave the model, the sizes it asked for, and the problems of the
// frame: failing scripts, violations of the policy, and requests to other sites.
export async function openApp(context, client, site, { tool, args = {}, change = (result) => result, theme = 'light', capabilities = { openLinks: {}, serverTools: {}, updateModelContext: { text: {} } } }) {
  const { tools } = await client.listTools()
  const uri = tools.find(({ name }) => name === tool)._meta.ui.resourceUri
  const [{ text, mimeType, _meta }] = (await client.readResource({ uri })).contents
  const result = change(await client.callTool({ name: tool, arguments: args }))

  const server = createServer((request, response) => {
    const app = request.url === '/app'
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...(app && { 'content-security-policy': policy(_meta.ui.csp) }) })
    response.end(app ? text : `<!doctype html><html lang="en"><title>Client</title><style>body{margin:0;background:${theme === 'dark' ? '#222' : '#eee'}}iframe{display:block;border:0;width:100%}</style>`)
  })
  await new Promise((listening) => server.unref().listen(0, listening))
  const { port } = server.address()

  const seen = { text, mimeType, result, links: [], calls: [], told: [], problems: [], sizes: [] }
  const page = await context.newPage()
  const origin = new URL(site.url).origin
  page.on('pageerror', (error) => seen.problems.push(String(error)))
  page.on('console', (said) => said.type() === 'error' && seen.problems.push(said.text()))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.port !== String(port) && !(url.origin === origin && url.pathname.startsWith('/photos/'))) seen.problems.push(`asks ${url}`)
  })

  const transport = {
    start: async () => {},
    close: async () => {},
    send: (message) => page.evaluate((data) => globalThis.frames[0].postMessage(data, '*'), message),
  }
  await page.exposeFunction('received', (message) => {
    if (message.method === 'tools/call') seen.calls.push(message.params)
    transport.onmessage(message)
  })
  const bridge = new AppBridge(client, { name: 'test', version: '1' }, capabilities, { hostContext: { theme, displayMode: 'inline', platform: 'web' } })
  bridge.onopenlink = async ({ url }) => { seen.links.push(url); return {} }
  bridge.onupdatemodelcontext = async ({ content }) => { seen.told.push(content[0].text); return {} }
  bridge.onsizechange = ({ width, height }) => {
    seen.sizes.push({ width, height })
    return page.evaluate((h) => (document.querySelector('iframe').style.height = `${h}px`), height).catch(() => {})
  }
  const initialized = new Promise((resolve) => (bridge.oninitialized = resolve))
  await bridge.connect(transport)

  await page.goto(`http://localhost:${port}/`)
  await page.evaluate((src) => {
    const frame = Object.assign(document.createElement('iframe'), { src, title: 'App' })
    frame.setAttribute('sandbox', 'allow-scripts')
    addEventListener('message', ({ source, data }) => source === frame.contentWindow && globalThis.received(data))
    document.body.append(frame)
  }, `http://127.0.0.1:${port}/app`)
  await initialized
  await bridge.sendToolInput({ arguments: args })
  await bridge.sendToolResult(result)
  const frame = page.frames()[1]
  await frame.waitForSelector('main:not([aria-busy])')
  const close = async () => {
    await bridge.teardownResource({})
    await page.close()
    server.close()
  }
  return { ...seen, page, frame, bridge, close }
}
