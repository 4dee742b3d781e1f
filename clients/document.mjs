// Prints the document that the clients are generated from: the paths of the API, with
// one type for all errors of an operation, whose codes tell them apart, and bodies as
// JSON. That halves the clients.
import { readFileSync } from 'node:fs'

const document = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const failed = { description: 'An error', content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Error' } } } }

for (const [path, operations] of Object.entries(document.paths)) {
  if (!path.startsWith('/api/')) {
    delete document.paths[path]
    continue
  }
  for (const { responses, requestBody } of Object.values(operations)) {
    for (const status of Object.keys(responses)) if (!status.startsWith('2')) delete responses[status]
    responses.default = failed
    const content = requestBody?.content
    if (content?.['application/json']) requestBody.content = { 'application/json': content['application/json'] }
  }
}
process.stdout.write(JSON.stringify(document))
