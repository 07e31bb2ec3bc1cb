// Stands for a node in a container of a real engine: tells who it is on ports 50000 and 6443, dials where it is asked to,
// and keeps a mark on its STATE volume.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

const mark = "/system/state/mark"

func answer(w http.ResponseWriter, r *http.Request) {
	name, _ := os.Hostname()
	if to := r.URL.Query().Get("dial"); to != "" {
		connection, err := net.Dial("tcp", to)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		connection.Close()
	}
	kept, _ := os.ReadFile(mark)
	fmt.Fprintf(w, "%s %s", name, kept)
}

func main() {
	addresses, _ := net.InterfaceAddrs()
	fmt.Println("started", addresses)
	http.HandleFunc("/", answer)
	http.HandleFunc("/mark", func(w http.ResponseWriter, _ *http.Request) {
		if err := os.WriteFile(mark, []byte("marked"), 0o600); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	for _, port := range []string{":50000", ":6443"} {
		go http.ListenAndServe(port, nil)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
	// As Talos ends when its container is stopped.
	os.Exit(130)
}
