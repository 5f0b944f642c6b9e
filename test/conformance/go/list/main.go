// Command list reads all objects of some resources with client-go's dynamic client.
//
// Usage: list <group>/<version>/<resource>...
//
// For each resource it prints the names of the objects, or the error of the library.
package main

import (
	"context"
	"os"
	"strings"
	"time"

	"orch.example/test/conformance/go/harness"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

const deadline = 30 * time.Second

type listed struct {
	Resource string   `json:"resource"`
	Names    []string `json:"names"`
	Error    string   `json:"error,omitempty"`
}

func main() {
	config, _ := harness.Config()
	client, err := dynamic.NewForConfig(config)
	harness.Check(err)
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	for _, argument := range os.Args[1:] {
		parts := strings.Split(argument, "/")
		resource := schema.GroupVersionResource{Group: parts[0], Version: parts[1], Resource: parts[2]}
		found := listed{Resource: resource.Resource, Names: []string{}}
		list, err := client.Resource(resource).List(ctx, metav1.ListOptions{})
		if err != nil {
			found.Error = err.Error()
		} else {
			for _, item := range list.Items {
				found.Names = append(found.Names, item.GetName())
			}
		}
		harness.Report(found)
	}
}
