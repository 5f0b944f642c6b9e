// Command webhooks serves a defaulter and a validator of Databases with controller-runtime, and has envtest install their
// configurations.
//
// Usage: webhooks <file or folder with the definition>
//
// A client then writes objects that the webhooks change, warn about and refuse, and prints the result of each write. At
// the end the webhooks are stopped.
package main

import (
	"context"
	"os"
	"time"

	"orch.example/test/conformance/go/databases"
	"orch.example/test/conformance/go/harness"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

const (
	deadline = 50 * time.Second
	interval = 20 * time.Millisecond
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	ctrl.SetLogger(logr.Discard())
	config, _ := harness.Config()
	scheme := runtime.NewScheme()
	harness.Check(databases.AddToScheme(scheme))
	definitions := envtest.CRDInstallOptions{Paths: []string{os.Args[1]}, ErrorIfPathMissing: true}
	_, err := envtest.InstallCRDs(config, definitions)
	harness.Check(err)

	installed := configurations()
	harness.Check(installed.PrepWithoutInstalling())
	seen := &reviews{}
	stop := (&operator{config, scheme, installed, seen}).start(ctx)
	harness.Check(installed.Install(config))

	warnings := &warningRecorder{}
	config.WarningHandler = warnings
	direct, err := client.New(config, client.Options{Scheme: scheme})
	harness.Check(err)
	played := &scenario{ctx, direct, seen, warnings}
	played.untilEffective()
	played.play()
	stop()
	played.afterStop()
	harness.Check(installed.Cleanup())
}

// operator is a program with webhooks.
type operator struct {
	config    *rest.Config
	scheme    *runtime.Scheme
	installed *envtest.WebhookInstallOptions
	seen      *reviews
}

// start returns when the webhooks listen, with a function that stops them.
func (o *operator) start(ctx context.Context) func() {
	manager, err := ctrl.NewManager(o.config, ctrl.Options{
		Scheme:  o.scheme,
		Metrics: server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:    o.installed.LocalServingHost,
			Port:    o.installed.LocalServingPort,
			CertDir: o.installed.LocalServingCertDir,
		}),
	})
	harness.Check(err)
	harness.Check(ctrl.NewWebhookManagedBy(manager, &databases.Database{}).
		WithDefaulter(&defaulter{o.seen}).
		WithValidator(&validator{o.seen}).
		Complete())
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(running) }()
	isStarted := manager.GetWebhookServer().StartedChecker()
	harness.Check(wait.PollUntilContextCancel(ctx, interval, true, func(context.Context) (bool, error) {
		return isStarted(nil) == nil, nil
	}))
	return func() {
		stop()
		harness.Check(<-ended)
	}
}

type observation struct {
	Step  string `json:"step"`
	Value any    `json:"value"`
}

func report(step string, value any) { harness.Report(observation{step, value}) }
