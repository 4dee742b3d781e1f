// The proportions of photographs in hundredths, and what stays in a cropped one in percent:
// pages have no inline styles. See views/portfolio/portfolio_layout.go.
const range = (from, to, step) => Array.from({ length: (to - from) / step + 1 }, (_, i) => from + i * step)
const ratios = Object.fromEntries([...range(30, 200, 1), ...range(205, 400, 5)].map((r) => [`.r-${r}`, { '--r': `${r / 100}` }]))
const focuses = Object.fromEntries(['x', 'y'].flatMap((axis) => range(0, 100, 5).map((at) => [`.f${axis}-${at}`, { [`--f${axis}`]: `${at}%` }])))

export default ({ addBase }) => addBase({ ...ratios, ...focuses })
