// Command retry-watch resumes a watch of the configmaps of a namespace with client-go's RetryWatcher.
//
// Usage: retry-watch <json|protobuf|metadata> <namespace> <resourceVersion> <events>
//
// It prints every event, and at the end the requests that were made. It ends when the watcher gives up, after that many
// events, or after the deadline, whichever is first.
package main

import (
	"context"
	"os"
	"strconv"
	"time"

	"orch.example/test/conformance/go/harness"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

// deadline is far beyond what a watcher needs that gives up, and short for one that retries every second.
const deadline = 8 * time.Second

type event struct {
	Type            watch.EventType     `json:"type"`
	Name            string              `json:"name,omitempty"`
	ResourceVersion string              `json:"resourceVersion,omitempty"`
	Code            int32               `json:"code,omitempty"`
	Reason          metav1.StatusReason `json:"reason,omitempty"`
}

type summary struct {
	GaveUp   bool               `json:"gaveUp"`
	Requests []harness.Exchange `json:"requests"`
}

func main() {
	form, namespace, resourceVersion := os.Args[1], os.Args[2], os.Args[3]
	most, err := strconv.Atoi(os.Args[4])
	harness.Check(err)
	config, recorder := harness.Config()
	open := watchFuncOf(form, config, namespace)

	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	watcher, err := watchtools.NewRetryWatcherWithContext(ctx, resourceVersion, &cache.ListWatch{
		WatchFuncWithContext: open,
	})
	harness.Check(err)
	seen := 0
	for event := range watcher.ResultChan() {
		harness.Report(described(event))
		if seen++; seen == most {
			cancel()
		}
	}
	harness.Report(summary{GaveUp: ctx.Err() == nil, Requests: recorder.Exchanges()})
}

func watchFuncOf(form string, config *rest.Config, namespace string) cache.WatchFuncWithContext {
	configMaps := corev1.SchemeGroupVersion.WithResource("configmaps")
	switch form {
	case "metadata":
		client, err := metadata.NewForConfig(config)
		harness.Check(err)
		return client.Resource(configMaps).Namespace(namespace).Watch
	case "protobuf":
		return protobufWatch(config, namespace)
	default:
		client, err := dynamic.NewForConfig(config)
		harness.Check(err)
		return client.Resource(configMaps).Namespace(namespace).Watch
	}
}

// protobufWatch is what the typed client does for core objects, without the types of all other groups.
func protobufWatch(config *rest.Config, namespace string) cache.WatchFuncWithContext {
	scheme := runtime.NewScheme()
	harness.Check(corev1.AddToScheme(scheme))
	metav1.AddToGroupVersion(scheme, corev1.SchemeGroupVersion)
	config.APIPath = "/api"
	config.GroupVersion = &corev1.SchemeGroupVersion
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	config.ContentType = "application/vnd.kubernetes.protobuf"
	client, err := rest.RESTClientFor(config)
	harness.Check(err)
	return func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
		options.Watch = true
		return client.Get().Namespace(namespace).Resource("configmaps").
			VersionedParams(&options, runtime.NewParameterCodec(scheme)).Watch(ctx)
	}
}

func described(received watch.Event) event {
	if status, ok := received.Object.(*metav1.Status); ok {
		return event{Type: received.Type, Code: status.Code, Reason: status.Reason}
	}
	object, err := meta.Accessor(received.Object)
	harness.Check(err)
	return event{Type: received.Type, Name: object.GetName(), ResourceVersion: object.GetResourceVersion()}
}
