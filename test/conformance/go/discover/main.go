// Command discover reads what a server serves with client-go's discovery clients.
//
// Usage: discover <cache folder>
//
// It discovers once without a cache, and then twice with the cache on disk that kubectl has: the second time after the
// cache was invalidated, so that its documents are asked for again with their entity tags.
package main

import (
	"os"
	"path/filepath"
	"sort"
	"time"

	"orch.example/test/conformance/go/harness"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/disk"
)

type observation struct {
	Step      string             `json:"step"`
	Resources []string           `json:"resources"`
	Requests  []harness.Exchange `json:"requests"`
}

func main() {
	folder := os.Args[1]
	direct("aggregated", func(client *discovery.DiscoveryClient) discovery.DiscoveryInterface { return client })
	direct("legacy", func(client *discovery.DiscoveryClient) discovery.DiscoveryInterface { return client.WithLegacy() })
	cached(folder)
}

func direct(step string, choose func(*discovery.DiscoveryClient) discovery.DiscoveryInterface) {
	config, recorder := harness.Config()
	client, err := discovery.NewDiscoveryClientForConfig(config)
	harness.Check(err)
	_, lists, err := choose(client).ServerGroupsAndResources()
	harness.Check(err)
	harness.Report(observation{step, resourcesOf(lists), recorder.Exchanges()})
}

func cached(folder string) {
	config, recorder := harness.Config()
	client, err := disk.NewCachedDiscoveryClientForConfig(
		config, filepath.Join(folder, "discovery"), filepath.Join(folder, "http"), time.Hour)
	harness.Check(err)
	for _, step := range []string{"first", "invalidated"} {
		client.Invalidate()
		before := len(recorder.Exchanges())
		_, lists, err := client.ServerGroupsAndResources()
		harness.Check(err)
		harness.Report(observation{step, resourcesOf(lists), recorder.Exchanges()[before:]})
	}
}

// resourcesOf lists everything that was discovered, as `group/version resource kind verbs`.
func resourcesOf(lists []*metav1.APIResourceList) []string {
	found := []string{}
	for _, list := range lists {
		for _, resource := range list.APIResources {
			verbs := append([]string{}, resource.Verbs...)
			sort.Strings(verbs)
			line := list.GroupVersion + " " + resource.Name + " " + resource.Kind
			for _, verb := range verbs {
				line += " " + verb
			}
			found = append(found, line)
		}
	}
	sort.Strings(found)
	return found
}
