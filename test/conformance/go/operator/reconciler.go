package main

import (
	"context"
	"strconv"

	"orch.example/test/conformance/go/databases"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "stable.example.com/archive"

// reconciler maintains a ConfigMap for every Database, and archives the settings of a Database that is deleted.
type reconciler struct {
	client.Client
}

func (r *reconciler) setup(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).For(&databases.Database{}).Owns(&corev1.ConfigMap{}).Complete(r)
}

// Reconcile brings one Database to its wanted state.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	database := &databases.Database{}
	if err := r.Get(ctx, request.NamespacedName, database); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !database.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.archive(ctx, database)
	}
	before := client.MergeFrom(database.DeepCopy())
	if controllerutil.AddFinalizer(database, finalizer) {
		if err := r.Patch(ctx, database, before); err != nil {
			return ctrl.Result{}, err
		}
	}
	settings := configMap(database.Name+"-settings", database.Namespace)
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, settings, func() error {
		settings.Data = settingsOf(database)
		return controllerutil.SetControllerReference(database, settings, r.Scheme())
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.updateStatus(ctx, database)
}

func (r *reconciler) updateStatus(ctx context.Context, database *databases.Database) error {
	database.Status.ObservedGeneration = database.Generation
	database.Status.Replicas = *database.Spec.Replicas
	meta.SetStatusCondition(&database.Status.Conditions, metav1.Condition{
		Type:               "Ready",
		Status:             metav1.ConditionTrue,
		Reason:             "SettingsWritten",
		ObservedGeneration: database.Generation,
	})
	return r.Status().Update(ctx, database)
}

// archive keeps the settings in a ConfigMap without an owner, and gives the object free.
func (r *reconciler) archive(ctx context.Context, database *databases.Database) error {
	archived := configMap(database.Name+"-archive", database.Namespace)
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, archived, func() error {
		archived.Data = settingsOf(database)
		return nil
	}); err != nil {
		return err
	}
	before := client.MergeFromWithOptions(database.DeepCopy(), client.MergeFromWithOptimisticLock{})
	if !controllerutil.RemoveFinalizer(database, finalizer) {
		return nil
	}
	return client.IgnoreNotFound(r.Patch(ctx, database, before))
}

func configMap(name, namespace string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
}

func settingsOf(database *databases.Database) map[string]string {
	return map[string]string{
		"engine":   database.Spec.Engine,
		"replicas": strconv.Itoa(int(*database.Spec.Replicas)),
	}
}
