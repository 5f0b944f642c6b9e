// Package harness is what every program of this module shares: the server to talk to, and a way to report.
//
// A program reads its server from KUBECONFIG, does one thing with an unmodified client library, and prints what it
// observed as JSON lines. The test in TypeScript that ran it decides whether that is right.
package harness

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Exchange is one HTTP request of the client library with the status and headers of its answer.
type Exchange struct {
	Method      string `json:"method"`
	Path        string `json:"path"`
	Accept      string `json:"accept,omitempty"`
	Status      int    `json:"status"`
	ContentType string `json:"contentType,omitempty"`
}

// Recorder keeps the exchanges of a client.
type Recorder struct {
	mutex     sync.Mutex
	exchanges []Exchange
}

// Exchanges returns a copy of what was recorded so far.
func (r *Recorder) Exchanges() []Exchange {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return append([]Exchange{}, r.exchanges...)
}

// Wrap is a transport wrapper for rest.Config.
func (r *Recorder) Wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		exchange := Exchange{
			Method: request.Method,
			Path:   request.URL.RequestURI(),
			Accept: request.Header.Get("Accept"),
		}
		if err == nil {
			exchange.Status = response.StatusCode
			exchange.ContentType = response.Header.Get("Content-Type")
		}
		r.mutex.Lock()
		defer r.mutex.Unlock()
		r.exchanges = append(r.exchanges, exchange)
		return response, err
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// Config reads KUBECONFIG; the recorder sees every request of clients made from it.
func Config() (*rest.Config, *Recorder) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	Check(err)
	recorder := &Recorder{}
	config.Wrap(recorder.Wrap)
	return config, recorder
}

// Report prints one observation as a line of JSON.
func Report(observation any) {
	line, err := json.Marshal(observation)
	Check(err)
	fmt.Println(string(line))
}

// Check ends the program with status 1 when something failed that the program is not about.
func Check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
