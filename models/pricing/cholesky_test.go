package pricing

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCholesky solves random systems of every small size and of one that is large.
func TestCholesky(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 100} {
		full := randomCovariance(random, n)
		factor := newTriangle(n)
		for i := range n {
			copy(factor.row(i), full[i])
		}
		if !factor.factorize() {
			t.Fatalf("%d: not positive definite", n)
		}
		b := make([]float64, n)
		for i := range b {
			b[i] = random.NormFloat64()
		}
		wantProduct(t, full, factor.solve(b), b)
		var determinant float64
		diagonal := factor.inverseDiagonal()
		for i := range n {
			unit := make([]float64, n)
			unit[i] = 1
			column := factor.solve(unit)
			wantProduct(t, full, column, unit)
			if math.Abs(column[i]-diagonal[i]) > 1e-9 {
				t.Errorf("%d: inverse at %d is %v, want %v", n, i, diagonal[i], column[i])
			}
			determinant += math.Log(factor.row(i)[i])
		}
		if x, want := factor.forward(b), 2*determinant; math.Abs(dot(x, x)-dot(b, factor.solve(b))) > 1e-9 || math.Abs(factor.logDeterminant()-want) > 1e-9 {
			t.Errorf("%d: the forms or the determinants differ", n)
		}
	}
}

// TestNotPositiveDefinite factorizes matrices that have no Cholesky factor.
func TestNotPositiveDefinite(t *testing.T) {
	t.Parallel()
	for _, cells := range [][]float64{{0, 0, 0}, {-1, 0, 1}, {1, 2, 1}, {math.NaN(), 0, 1}, {1, 0, math.NaN()}, {math.Inf(1), 0, 1}, {1, math.NaN(), 1}} {
		if (triangle{2, cells}).factorize() {
			t.Errorf("%v has a factor", cells)
		}
	}
}

// randomCovariance returns a symmetric, positive definite matrix.
func randomCovariance(random *rand.Rand, n int) [][]float64 {
	root, full := make([][]float64, n), make([][]float64, n)
	for i := range n {
		root[i], full[i] = make([]float64, n), make([]float64, n)
		for j := range n {
			root[i][j] = random.NormFloat64()
		}
	}
	for i := range n {
		for j := range n {
			full[i][j] = dot(root[i], root[j])
		}
		full[i][i]++
	}
	return full
}

// wantProduct reports an error unless a matrix times x is b.
func wantProduct(t *testing.T, matrix [][]float64, x, b []float64) {
	t.Helper()
	for i, row := range matrix {
		if got := dot(row, x); math.Abs(got-b[i]) > 1e-8 {
			t.Errorf("%d: element %d is %v, want %v", len(b), i, got, b[i])
		}
	}
}
