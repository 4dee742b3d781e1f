// The tokens of the site's look, in one place. static/src/site.css reads them
// as CSS variables; templates may use them as utilities (text-ink, bg-paper).

// Paper, ink, and one accent: the red-orange of a darkroom safelight. Every pair
// of text and ground has a contrast of at least 4.5 to 1.
const light = {
  paper: '#fbfaf7', // the page
  sheet: '#ffffff', // what lies on it: inputs, the buying box
  tray: '#efece5', // the ground of photographs, chips, table stripes
  ink: '#1a1613',
  pencil: '#5f564d', // secondary text
  rule: '#dfd9cf', // hairlines
  edge: '#8b8175', // borders of controls: 3 to 1 against the page
  safelight: '#c02f0c',
  glow: '#fbe9e2', // the accent as a ground
  onlight: '#ffffff', // text on the accent
}

// The darkroom.
const dark = {
  paper: '#15110f',
  sheet: '#1d1815',
  tray: '#27201c',
  ink: '#f2ebe2',
  pencil: '#b8aa9c',
  rule: '#38302a',
  edge: '#85776a',
  safelight: '#ff7a52',
  glow: '#3a1c12',
  onlight: '#1a0d08',
}

// The typefaces, which the owner's settings may replace.
const fonts = {
  '--sans': '"Source Sans 3", "Text Fallback", system-ui, sans-serif',
  '--serif': 'Fraunces, "Heading Fallback", Georgia, serif',
}

const names = Object.keys(light)
const variables = (set) => Object.fromEntries(names.map((name) => [`--${name}`, set[name]]))

export default {
  theme: {
    colors: Object.fromEntries(names.map((name) => [name, `var(--${name})`])),
    fontFamily: {
      sans: ['var(--sans)'],
      serif: ['var(--serif)'],
    },
    screens: { sm: '40rem', md: '52rem', lg: '64rem' },
  },
  plugins: [
    ({ addBase }) =>
      addBase({
        ':root': { 'color-scheme': 'light dark', ...fonts, ...variables(light) },
        '@media (prefers-color-scheme: dark)': { ':root:not([data-theme=light])': variables(dark) },
        ':root[data-theme=dark]': { 'color-scheme': 'dark', ...variables(dark) },
        ':root[data-theme=light]': { 'color-scheme': 'light' },
        // The dark background of photographs: chosen with its box, and remembered.
        ':root:has(#dark-background:checked), :root[data-background]:has(#dark-background)': { 'color-scheme': 'dark', ...variables({ ...dark, paper: '#0d0b0a' }) },
      }),
  ],
}
