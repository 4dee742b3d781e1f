package pricing

import "math"

// triangle is the lower triangle of a matrix, row after row: of a symmetric one, or of its
// Cholesky factor, the lower triangular matrix whose product with its transpose it is.
type triangle struct {
	n     int
	cells []float64
}

func newTriangle(n int) triangle { return triangle{n, make([]float64, n*(n+1)/2)} }

// row returns row i up to the diagonal.
func (t triangle) row(i int) []float64 {
	from := i * (i + 1) / 2
	return t.cells[from : from+i+1 : from+i+1]
}

// factorize replaces a symmetric matrix by its Cholesky factor. It reports whether the matrix
// is positive definite; its cells mean nothing otherwise.
func (t triangle) factorize() bool {
	for i := range t.n {
		row := t.row(i)
		j := 0
		for ; j+4 <= i; j += 4 {
			four := [...][]float64{t.row(j), t.row(j + 1), t.row(j + 2), t.row(j + 3)}
			sums := dots(row[:j], four[0][:j], four[1][:j], four[2][:j], four[3][:j])
			for c, other := range four {
				row[j+c] = (row[j+c] - sums[c] - dot(row[j:j+c], other[j:j+c])) / other[j+c]
			}
		}
		for ; j < i; j++ {
			other := t.row(j)
			row[j] = (row[j] - dot(row[:j], other[:j])) / other[j]
		}
		square := row[i] - dot(row[:i], row[:i])
		if !(square > 0) || math.IsInf(square, 0) {
			return false
		}
		row[i] = math.Sqrt(square)
	}
	return true
}

// forward returns the solution of the factor times x equals b.
func (t triangle) forward(b []float64) []float64 {
	x := make([]float64, t.n)
	for i := range t.n {
		row := t.row(i)
		x[i] = (b[i] - dot(row[:i], x[:i])) / row[i]
	}
	return x
}

// solve returns the solution of the matrix with this factor times x equals b.
func (t triangle) solve(b []float64) []float64 {
	x := t.forward(b)
	for i := t.n - 1; i >= 0; i-- {
		row := t.row(i)
		x[i] /= row[i]
		for j, c := range row[:i] {
			x[j] -= c * x[i]
		}
	}
	return x
}

// inverseDiagonal returns the diagonal of the inverse of the matrix with this factor. It takes
// four columns of the factor's inverse at a time.
func (t triangle) inverseDiagonal() []float64 {
	diagonal := make([]float64, t.n)
	var x [4][]float64
	for c := range x {
		x[c] = make([]float64, t.n)
	}
	for i := 0; i < t.n; i += len(x) {
		for k := i; k < t.n; k++ {
			row := t.row(k)
			sums := dots(row[i:k], x[0][i:k], x[1][i:k], x[2][i:k], x[3][i:k])
			for c := range min(len(x), t.n-i) {
				unit := 0.0
				if k == i+c {
					unit = 1
				}
				x[c][k] = (unit - sums[c]) / row[k]
				diagonal[i+c] += x[c][k] * x[c][k]
			}
		}
	}
	return diagonal
}

// logDeterminant returns the logarithm of the determinant of the matrix with this factor.
func (t triangle) logDeterminant() (sum float64) {
	for i := range t.n {
		sum += 2 * math.Log(t.row(i)[i])
	}
	return sum
}

// dot returns the product of two vectors of the same length.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64 // independent, so that the processor adds them at the same time
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + (s2 + s3)
}

// dots returns the products of x and four vectors of the same length.
func dots(x, a, b, c, d []float64) [4]float64 {
	var s0, s1, s2, s3 float64
	a, b, c, d = a[:len(x)], b[:len(x)], c[:len(x)], d[:len(x)]
	for i, v := range x {
		s0 += v * a[i]
		s1 += v * b[i]
		s2 += v * c[i]
		s3 += v * d[i]
	}
	return [...]float64{s0, s1, s2, s3}
}
