// Prints, as JSON, how many milliseconds the official TypeScript client took in each
// round to connect, to list the tools, and to call one. The arguments are an address
// and a number of rounds.
import { Client } from '../../e2e/node_modules/@modelcontextprotocol/sdk/dist/esm/client/index.js'
import { StreamableHTTPClientTransport } from '../../e2e/node_modules/@modelcontextprotocol/sdk/dist/esm/client/streamableHttp.js'

const [address, rounds] = process.argv.slice(2)
const times = []
for (let i = 0; i < Number(rounds); i++) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const began = performance.now()
  await client.connect(new StreamableHTTPClientTransport(new URL(address)))
  const connected = performance.now()
  await client.listTools()
  const listed = performance.now()
  const result = await client.callTool({ name: 'search_listings', arguments: { keyword: 'canon', limit: 24 } })
  if (result.isError) throw new Error(result.content[0].text)
  times.push({ connect: connected - began, list: listed - connected, call: performance.now() - listed })
  await client.close()
}
console.log(JSON.stringify(times))
