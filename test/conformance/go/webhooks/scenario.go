package main

import (
	"context"
	"errors"
	"sync"

	"orch.example/test/conformance/go/databases"
	"orch.example/test/conformance/go/harness"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const namespace = "default"

func newDatabase(name string, replicas int32) *databases.Database {
	return &databases.Database{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec:       databases.Spec{Engine: "postgres", Replicas: &replicas},
	}
}

// warningRecorder keeps the warnings of all answers.
type warningRecorder struct {
	mutex    sync.Mutex
	warnings []string
}

// HandleWarningHeader implements rest.WarningHandler.
func (w *warningRecorder) HandleWarningHeader(_ int, _ string, message string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.warnings = append(w.warnings, message)
}

// scenario is what a user writes while the webhooks are in effect.
type scenario struct {
	ctx      context.Context
	direct   client.Client
	seen     *reviews
	warnings *warningRecorder
}

// untilEffective waits until both webhooks take part in writes.
func (s *scenario) untilEffective() {
	harness.Check(wait.PollUntilContextCancel(s.ctx, interval, true, func(context.Context) (bool, error) {
		mutated := newDatabase("wanted", 1)
		if err := s.direct.Create(s.ctx, mutated, client.DryRunAll); err != nil {
			return false, ignoreForbidden(err)
		}
		refused := s.direct.Create(s.ctx, newDatabase("refused", mostReplicas+1), client.DryRunAll)
		return mutated.Spec.Owner != "" && apierrors.IsForbidden(refused), ignoreForbidden(refused)
	}))
	s.seen.take()
}

func ignoreForbidden(err error) error {
	if apierrors.IsForbidden(err) {
		return nil
	}
	return err
}

func (s *scenario) play() {
	database := s.create()
	s.update(database)
	s.remove(database)
	report("warnings", s.warnings.warnings)
}

func (s *scenario) create() *databases.Database {
	planned := newDatabase("one", 1)
	harness.Check(s.direct.Create(s.ctx, planned, client.DryRunAll))
	report("planned", planned)
	report("stored", s.isStored("one"))
	s.refused("too many", s.direct.Create(s.ctx, newDatabase("many", mostReplicas+1)))
	s.refused("too many, dry run", s.direct.Create(s.ctx, newDatabase("many", mostReplicas+1), client.DryRunAll))
	report("stored", s.isStored("many"))
	database := newDatabase("one", 1)
	harness.Check(s.direct.Create(s.ctx, database))
	report("created", database)
	report("reviews", s.seen.take())
	return database
}

func (s *scenario) update(database *databases.Database) {
	none := int32(0)
	database.Spec.Replicas = &none
	database.Labels[keepLabel] = ""
	harness.Check(s.direct.Update(s.ctx, database))
	report("updated", database)
	changed := database.DeepCopy()
	changed.Spec.Engine = "mysql"
	s.refused("other engine", s.direct.Update(s.ctx, changed))
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"replicas":4}}`))
	s.refused("too many by patch", s.direct.Patch(s.ctx, database.DeepCopy(), patch))
	report("reviews", s.seen.take())
}

func (s *scenario) remove(database *databases.Database) {
	s.refused("kept", s.direct.Delete(s.ctx, database))
	s.refused("kept, dry run", s.direct.Delete(s.ctx, database, client.DryRunAll))
	s.refused("kept, collection", s.direct.DeleteAllOf(s.ctx, &databases.Database{}, client.InNamespace(namespace)))
	report("stored", s.isStored("one"))
	report("reviews", s.seen.take())
	delete(database.Labels, keepLabel)
	harness.Check(s.direct.Update(s.ctx, database))
	harness.Check(s.direct.Delete(s.ctx, database))
	report("stored", s.isStored("one"))
	report("reviews", s.seen.take())
}

// afterStop writes while the webhooks do not run.
func (s *scenario) afterStop() {
	s.refused("stopped", s.direct.Create(s.ctx, newDatabase("late", 1)))
	report("stored", s.isStored("late"))
}

func (s *scenario) isStored(name string) bool {
	err := s.direct.Get(s.ctx, client.ObjectKey{Namespace: namespace, Name: name}, &databases.Database{})
	harness.Check(client.IgnoreNotFound(err))
	return err == nil
}

// refused reports the status of a failed write; the program fails when it succeeded.
func (s *scenario) refused(what string, err error) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		harness.Check(errors.Join(errors.New("not refused by the server: "+what), err))
		return
	}
	report("refused "+what, status.Status())
}
