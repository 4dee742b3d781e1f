export default { theme: {} }
