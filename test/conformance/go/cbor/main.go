// Command cbor writes and reads objects with client-go in CBOR, with typed and with dynamic clients.
//
// Usage: cbor <namespace>
//
// It prints what it read, and at the end the requests that were made.
package main

import (
	"context"
	"os"
	"time"

	"orch.example/test/conformance/go/harness"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
)

const deadline = 30 * time.Second

type observed struct {
	Step   string            `json:"step"`
	Data   map[string][]byte `json:"data,omitempty"`
	Text   map[string]string `json:"text,omitempty"`
	Names  []string          `json:"names,omitempty"`
	Fields bool              `json:"fields,omitempty"`
	Error  string            `json:"error,omitempty"`
}

type summary struct {
	Requests []harness.Exchange `json:"requests"`
}

func main() {
	for _, gate := range []string{"ClientsAllowCBOR", "ClientsPreferCBOR"} {
		harness.Check(os.Setenv("KUBE_FEATURE_"+gate, "true"))
	}
	config, recorder := harness.Config()
	config.ContentType = "application/cbor"
	config.AcceptContentTypes = "application/cbor"
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	typed(ctx, kubernetes.NewForConfigOrDie(config), os.Args[1])
	untyped(ctx, dynamic.NewForConfigOrDie(config), os.Args[1])
	harness.Report(summary{Requests: recorder.Exchanges()})
}

func typed(ctx context.Context, client kubernetes.Interface, namespace string) {
	secrets := client.CoreV1().Secrets(namespace)
	watcher, err := secrets.Watch(ctx, metav1.ListOptions{})
	harness.Check(err)
	defer watcher.Stop()
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "bytes"}, Data: map[string][]byte{"a": {0, 1, 255}}}
	created, err := secrets.Create(ctx, secret, metav1.CreateOptions{FieldManager: "tests"})
	harness.Check(err)
	harness.Report(observed{Step: "create", Data: created.Data, Fields: len(created.ManagedFields) == 1})
	configuration := applycorev1.Secret("bytes", namespace).WithData(map[string][]byte{"b": []byte("text")})
	applied, err := secrets.Apply(ctx, configuration, metav1.ApplyOptions{FieldManager: "applier"})
	harness.Check(err)
	harness.Report(observed{Step: "apply", Data: applied.Data, Fields: len(applied.ManagedFields) == 2})
	list, err := secrets.List(ctx, metav1.ListOptions{})
	harness.Check(err)
	harness.Report(observed{Step: "list", Data: list.Items[0].Data})
	for range 2 {
		event := <-watcher.ResultChan()
		harness.Report(observed{Step: "watch " + string(event.Type), Data: event.Object.(*corev1.Secret).Data})
	}
	_, err = secrets.Get(ctx, "absent", metav1.GetOptions{})
	harness.Report(observed{Step: "error", Error: err.Error()})
}

func untyped(ctx context.Context, client dynamic.Interface, namespace string) {
	maps := client.Resource(corev1.SchemeGroupVersion.WithResource("configmaps")).Namespace(namespace)
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "dynamic"},
		"data": map[string]any{"text": "ä\"\\"},
	}}
	_, err := maps.Create(ctx, object, metav1.CreateOptions{})
	harness.Check(err)
	list, err := maps.List(ctx, metav1.ListOptions{})
	harness.Check(err)
	names := []string{}
	for _, item := range list.Items {
		names = append(names, item.GetName())
	}
	text, _, err := unstructured.NestedStringMap(list.Items[0].Object, "data")
	harness.Check(err)
	harness.Report(observed{Step: "dynamic list", Names: names, Text: text})
}
