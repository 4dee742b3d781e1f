package baseline

// zigzag holds the place in a block, by row, of each coefficient in the order of the file.
var zigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// dropped is where coefficients go that are too fine for the scale.
const dropped = 16

// Constants of the inverse transform of 4 coefficients, times 1<<precision: √2 cos π/8 and
// √2 cos 3π/8.
const (
	precision = 12
	cos1      = 5352
	cos3      = 2217
	extra     = 2 // bits of precision between the two passes
)

// inverse4 transforms the lowest 4 by 4 coefficients of a block to 4 by 4 pixels.
func inverse4(f *[dropped + 1]int32, out []uint8, stride int) {
	for column := range 4 {
		f0, f1, f2, f3 := f[column], f[4+column], f[8+column], f[12+column]
		even0, even1 := (f0+f2)<<extra, (f0-f2)<<extra
		odd0, odd1 := (f1*cos1+f3*cos3)>>(precision-extra), (f1*cos3-f3*cos1)>>(precision-extra)
		f[column], f[12+column] = even0+odd0, even0-odd0
		f[4+column], f[8+column] = even1+odd1, even1-odd1
	}
	for row := range 4 {
		f0, f1, f2, f3 := f[4*row], f[4*row+1], f[4*row+2], f[4*row+3]
		even0, even1 := (f0+f2)<<precision, (f0-f2)<<precision
		odd0, odd1 := f1*cos1+f3*cos3, f1*cos3-f3*cos1
		pixels := out[row*stride : row*stride+4 : row*stride+4]
		pixels[0], pixels[3] = pixel(even0+odd0, precision+extra+3), pixel(even0-odd0, precision+extra+3)
		pixels[1], pixels[2] = pixel(even1+odd1, precision+extra+3), pixel(even1-odd1, precision+extra+3)
	}
}

// inverse2 transforms the lowest 2 by 2 coefficients of a block to 2 by 2 pixels.
func inverse2(f *[dropped + 1]int32, out []uint8, stride int) {
	top, bottom := f[0]+f[4], f[0]-f[4]
	right, below := f[1]+f[5], f[1]-f[5]
	out[0], out[1] = pixel(top+right, 3), pixel(top-right, 3)
	out[stride], out[stride+1] = pixel(bottom+below, 3), pixel(bottom-below, 3)
}

// pixel returns a sample of a number with a count of binary places, and half a range above.
func pixel(v int32, places uint) uint8 {
	v = (v+1<<(places-1))>>places + 128
	if uint32(v) > 255 {
		return uint8(^(v >> 31))
	}
	return uint8(v)
}
