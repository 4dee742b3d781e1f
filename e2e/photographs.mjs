// Photographs for tests, made from those of the demonstration.
import { readdirSync, readFileSync } from 'node:fs'
import { top } from './site.mjs'

const sources = ['far-from-home', 'forms-of-life'].flatMap((project) => {
  const folder = `${top}content/portfolio/${project}`
  return readdirSync(folder).filter((name) => name.endsWith('.jpg')).map((name) => `${folder}/${name}`)
})

// photographs resolves to n different JPEG files, parts of photographs that a browser
// encodes, in landscape and portrait. With noise they are large: more than 3 MB.
export async function photographs(browser, n, { noise = false } = {}) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const encoded = await page.evaluate(async ({ files, n, noise }) => {
    const pictures = await Promise.all(files.map(async (file) => createImageBitmap(await fetch(`data:image/jpeg;base64,${file}`).then((answer) => answer.blob()))))
    const encode = async (_, i) => {
      const picture = pictures[i % pictures.length]
      const [width, height] = noise ? [2400, 1600] : i % 3 ? [900, 600] : [600, 900]
      const canvas = new OffscreenCanvas(width, height)
      const to = canvas.getContext('2d')
      const x = (i * 13) % 200
      const part = Math.min(picture.width - x, (picture.height - x) * width / height) // the width of what is drawn
      to.drawImage(picture, x, x, part, part * height / width, 0, 0, width, height)
      if (noise) {
        const pixels = to.getImageData(0, 0, width, height)
        for (let at = 0; at < pixels.data.length; at++) pixels.data[at] ^= Math.random() * 64
        to.putImageData(pixels, 0, 0)
      }
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg', quality: noise ? 1 : 0.8 })).arrayBuffer())
      let text = ''
      for (let at = 0; at < bytes.length; at += 1 << 14) text += String.fromCharCode(...bytes.subarray(at, at + (1 << 14)))
      return btoa(text)
    }
    return Promise.all(Array.from({ length: n }, encode))
  }, { files: sources.map((name) => readFileSync(name).toString('base64')), n, noise })
  await context.close()
  return encoded.map((text) => Buffer.from(text, 'base64'))
}

// large resolves to a JPEG file of 60 megapixels.
export async function large(browser, i = 0) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const encoded = await page.evaluate(async (file) => {
    const picture = await createImageBitmap(await fetch(`data:image/jpeg;base64,${file}`).then((answer) => answer.blob()))
    const canvas = new OffscreenCanvas(9504, 6336)
    canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height)
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 })
    return new Promise((resolve) => {
      const reader = new FileReader()
      reader.onload = () => resolve(reader.result.split(',')[1])
      reader.readAsDataURL(blob)
    })
  }, readFileSync(sources[i % sources.length]).toString('base64'))
  await context.close()
  return Buffer.from(encoded, 'base64')
}

// heics returns 10 HEIC files, which heif-enc has made of the photographs of the demonstration. Browsers
// don't encode HEIC.
export const heics = () => readdirSync(`${top}e2e/heic`).map((name) => readFileSync(`${top}e2e/heic/${name}`))

// withVideo returns a JPEG file as phones make motion photos: an MP4 video follows the picture.
export function withVideo(jpeg) {
  const box = (type, body) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + body.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, body])
  }
  return Buffer.concat([jpeg, box('ftyp', Buffer.from('mp42\0\0\0\0mp42isom')), box('mdat', Buffer.alloc(200_000, 7))])
}

// withXMP returns a JPEG file with a title and a caption in XMP.
export function withXMP(jpeg, title, caption) {
  const packet = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${sidecar(title, caption)}`)
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(packet.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, packet, jpeg.subarray(2)])
}

// sidecar returns the .xmp file with a title and a caption.
export const sidecar = (title, caption) => `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title><dc:description><rdf:Alt><rdf:li xml:lang="x-default">${caption}</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>`
