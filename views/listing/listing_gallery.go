package listing

// leadSizes is the sizes attribute of a photo in a listing's gallery.
const leadSizes = "(min-width: 64rem) 44rem, 100vw"
