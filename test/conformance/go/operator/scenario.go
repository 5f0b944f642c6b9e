package main

import (
	"context"

	"orch.example/test/conformance/go/databases"
	"orch.example/test/conformance/go/harness"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	namespace   = "default"
	engineIndex = "spec.engine"
)

func newDatabase(name, engine string) *databases.Database {
	return &databases.Database{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec:       databases.Spec{Engine: engine},
	}
}

// scenario is what users of the operator do, and what they see.
type scenario struct {
	ctx    context.Context
	direct client.WithWatch
	cached client.Client
}

func (s *scenario) play() {
	database := newDatabase("one", "postgres")
	database.Labels = map[string]string{"tier": "a"}
	harness.Check(s.direct.Create(s.ctx, database))
	report("created", s.whenObserved(1))
	report("settings", s.settings("postgres"))

	before := client.MergeFrom(database.DeepCopy())
	database.Spec.Engine = "mysql"
	harness.Check(s.direct.Patch(s.ctx, database, before))
	report("changed", s.whenObserved(2))
	changed := s.settings("mysql")
	report("settings", changed)

	harness.Check(s.direct.Delete(s.ctx, changed))
	s.until(&corev1.ConfigMapList{}, "one-settings", func(event watch.Event) bool {
		return event.Type != watch.Deleted && event.Object.(*corev1.ConfigMap).UID != changed.UID
	})
	report("repaired", s.settings("mysql"))
	s.readCache()
	s.refusals()
	s.remove(database)
}

// whenObserved waits until the operator has written the status for a generation.
func (s *scenario) whenObserved(generation int64) runtime.Object {
	return s.until(&databases.DatabaseList{}, "one", func(event watch.Event) bool {
		status := event.Object.(*databases.Database).Status
		return status.ObservedGeneration == generation && meta.IsStatusConditionTrue(status.Conditions, "Ready")
	})
}

func (s *scenario) settings(engine string) *corev1.ConfigMap {
	return s.until(&corev1.ConfigMapList{}, "one-settings", func(event watch.Event) bool {
		return event.Object.(*corev1.ConfigMap).Data["engine"] == engine
	}).(*corev1.ConfigMap)
}

// readCache reads through the informers of the manager: by a label, by an index, and metadata alone.
func (s *scenario) readCache() {
	byLabel, byIndex, others := &databases.DatabaseList{}, &databases.DatabaseList{}, &databases.DatabaseList{}
	harness.Check(s.cached.List(s.ctx, byLabel, client.MatchingLabels{"tier": "a"}))
	harness.Check(s.cached.List(s.ctx, byIndex, client.MatchingFields{engineIndex: "mysql"}))
	harness.Check(s.cached.List(s.ctx, others, client.MatchingFields{engineIndex: "postgres"}))
	report("cached", map[string]int{
		"label": len(byLabel.Items), "index": len(byIndex.Items), "other": len(others.Items),
	})

	metadata := &metav1.PartialObjectMetadata{}
	metadata.SetGroupVersionKind(databases.GroupVersion.WithKind("Database"))
	harness.Check(s.cached.Get(s.ctx, client.ObjectKey{Namespace: namespace, Name: "one"}, metadata))
	report("metadata", metadata)
}

// refusals are writes that the server does not accept, by the errors that operators tell apart.
func (s *scenario) refusals() {
	stale := &databases.Database{}
	harness.Check(s.direct.Get(s.ctx, client.ObjectKey{Namespace: namespace, Name: "one"}, stale))
	stale.ResourceVersion = "1"
	report("refused", map[string]bool{
		"invalid":       apierrors.IsInvalid(s.direct.Create(s.ctx, newDatabase("wrong", "oracle"))),
		"conflict":      apierrors.IsConflict(s.direct.Update(s.ctx, stale)),
		"staleStatus":   apierrors.IsConflict(s.direct.Status().Update(s.ctx, stale)),
		"alreadyExists": apierrors.IsAlreadyExists(s.direct.Create(s.ctx, newDatabase("one", "mysql"))),
	})
}

// remove deletes the object; the operator archives its settings, and the garbage collector deletes what it owned.
func (s *scenario) remove(database *databases.Database) {
	harness.Check(s.direct.Delete(s.ctx, database))
	archive := s.until(&corev1.ConfigMapList{}, "one-archive", func(event watch.Event) bool {
		return event.Type != watch.Deleted
	})
	report("archived", archive)
	s.untilGone(&databases.DatabaseList{}, "one")
	s.untilGone(&corev1.ConfigMapList{}, "one-settings")
	left := &databases.DatabaseList{}
	harness.Check(s.direct.List(s.ctx, left))
	report("left", len(left.Items))
}

// until lists, watches from there, and returns the first state of an object that fits.
func (s *scenario) until(list client.ObjectList, name string, fits func(watch.Event) bool) runtime.Object {
	event, err := watchtools.UntilWithSync(s.ctx, s.lister(list, name), nil, nil, func(event watch.Event) (bool, error) {
		return fits(event), nil
	})
	harness.Check(err)
	return event.Object
}

func (s *scenario) untilGone(list client.ObjectList, name string) {
	gone := func(store cache.Store) (bool, error) { return len(store.ListKeys()) == 0, nil }
	deleted := func(event watch.Event) (bool, error) { return event.Type == watch.Deleted, nil }
	_, err := watchtools.UntilWithSync(s.ctx, s.lister(list, name), nil, gone, deleted)
	harness.Check(err)
}

func (s *scenario) lister(list client.ObjectList, name string) cache.ListerWatcher {
	options := func(raw metav1.ListOptions) *client.ListOptions {
		raw.FieldSelector = "metadata.name=" + name
		return &client.ListOptions{Namespace: namespace, Raw: &raw}
	}
	return &cache.ListWatch{
		ListFunc: func(raw metav1.ListOptions) (runtime.Object, error) {
			found := list.DeepCopyObject().(client.ObjectList)
			return found, s.direct.List(s.ctx, found, options(raw))
		},
		WatchFunc: func(raw metav1.ListOptions) (watch.Interface, error) {
			return s.direct.Watch(s.ctx, list, options(raw))
		},
	}
}

// isServed says whether discovery still has the version of the definition.
func isServed(config *rest.Config) bool {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	harness.Check(err)
	_, err = client.ServerResourcesForGroupVersion(databases.GroupVersion.String())
	if err != nil && !apierrors.IsNotFound(err) {
		harness.Check(err)
	}
	return err == nil
}
