// Command operator installs a definition with envtest, and runs an operator over its objects with controller-runtime.
//
// Usage: operator <file or folder with the definition>
//
// The operator works in this process, with a cached client. A second client without a cache changes objects, waits for
// what the operator makes of them, and prints each state that was reached.
package main

import (
	"context"
	"os"
	"time"

	"orch.example/test/conformance/go/databases"
	"orch.example/test/conformance/go/harness"

	"github.com/go-logr/logr"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const deadline = 50 * time.Second

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	ctrl.SetLogger(logr.Discard())
	config, _ := harness.Config()
	scheme := runtime.NewScheme()
	harness.Check(clientgoscheme.AddToScheme(scheme))
	harness.Check(apiextensionsv1.AddToScheme(scheme))
	harness.Check(databases.AddToScheme(scheme))

	options := envtest.CRDInstallOptions{Paths: []string{os.Args[1]}, ErrorIfPathMissing: true}
	definitions, err := envtest.InstallCRDs(config, options)
	harness.Check(err)
	for _, definition := range definitions {
		report("installed", definition.Name)
	}

	manager := startManager(ctx, config, scheme)
	direct, err := client.NewWithWatch(config, client.Options{Scheme: scheme})
	harness.Check(err)
	report("served", isServed(config))
	played := &scenario{ctx, direct, manager.GetClient()}
	played.play()

	harness.Check(envtest.UninstallCRDs(config, options))
	for _, definition := range definitions {
		played.untilGone(&apiextensionsv1.CustomResourceDefinitionList{}, definition.Name)
	}
	report("served", isServed(config))
}

// startManager runs the operator until the context ends; it returns when its caches have every object.
func startManager(ctx context.Context, config *rest.Config, scheme *runtime.Scheme) ctrl.Manager {
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              "databases.stable.example.com",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
	})
	harness.Check(err)
	harness.Check(manager.GetFieldIndexer().IndexField(ctx, &databases.Database{}, engineIndex, func(o client.Object) []string {
		return []string{o.(*databases.Database).Spec.Engine}
	}))
	harness.Check((&reconciler{manager.GetClient()}).setup(manager))
	go func() { harness.Check(manager.Start(ctx)) }()
	<-manager.Elected()
	if !manager.GetCache().WaitForCacheSync(ctx) {
		harness.Check(ctx.Err())
	}
	return manager
}

type observation struct {
	Step  string `json:"step"`
	Value any    `json:"value"`
}

func report(step string, value any) { harness.Report(observation{step, value}) }
