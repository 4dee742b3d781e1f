package models

// Activity counts what happened in the last day, 7 and 30 days.
type Activity struct {
	Day, Week, Month int
}

// Queue describes the pending deliveries of a channel.
type Queue struct {
	Kind     DeliveryKind
	Waiting  int  // all deliveries in the queue
	Retried  int  // those of which an attempt failed
	OldestAt Time // when the oldest was queued, 0 for an empty queue
}
