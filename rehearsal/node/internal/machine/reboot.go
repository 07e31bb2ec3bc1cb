package machine

import "time"

// Rebooting closes when the node asked to be started again.
func (n *Node) Rebooting() <-chan struct{} { return n.reboot }

func (n *Node) requestReboot() {
	// The answer to the call must leave first.
	time.AfterFunc(50*time.Millisecond, func() { n.rebootOnce.Do(func() { close(n.reboot) }) })
}
