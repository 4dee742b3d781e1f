package cache

import (
	"strconv"
	"sync"
	"testing"
)

func TestEviction(t *testing.T) {
	c := New[string, int](1000)
	c.Add("hot", -1, 10)
	for i := range 4000 {
		if v, ok := GetBytes(c, []byte("hot")); !ok || v != -1 {
			t.Fatalf("the value read most was evicted after %d others", i)
		}
		c.Add(strconv.Itoa(i), i, 10)
		if c.Size() > 1000 {
			t.Fatalf("size %d, limit 1000", c.Size())
		}
	}
	if c.Len() != 100 || c.Size() != 1000 {
		t.Errorf("%d values of %d bytes, want 100 of 1000", c.Len(), c.Size())
	}
	if _, ok := c.Get("0"); ok {
		t.Error("the first value was not evicted")
	}
	if v, ok := c.Get("3999"); !ok || v != 3999 {
		t.Error("the last value was evicted")
	}
}

func TestAddExisting(t *testing.T) {
	c := New[string, string](100)
	c.Add("a", "first", 10)
	if v := c.Add("a", "second", 10); v != "first" || c.Len() != 1 || c.Size() != 10 {
		t.Errorf("Add returns %q, %d values of %d bytes", v, c.Len(), c.Size())
	}
}

func TestGrowAndClear(t *testing.T) {
	c := New[string, int](100)
	for i := range 5 {
		c.Add(strconv.Itoa(i), i, 20)
	}
	c.Get("4")
	c.Grow("4", 50)
	if _, ok := c.Get("4"); !ok || c.Size() > 100 {
		t.Errorf("after growth: there %t, %d bytes", ok, c.Size())
	}
	c.Grow("none", 50)
	if c.Clear(); c.Len() != 0 || c.Size() != 0 {
		t.Errorf("%d values of %d bytes after Clear", c.Len(), c.Size())
	}
}

func TestConcurrentUse(t *testing.T) {
	c := New[string, int](500)
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for i := range 2000 {
				key := strconv.Itoa(i % 90)
				if v, ok := c.Get(key); ok && v != i%90 {
					t.Errorf("%s is %d", key, v)
				}
				c.Add(key, i%90, 10)
			}
		})
	}
	work.Wait()
}
