// Command structural reads schemas of custom resources and objects, one JSON document a line, and prints what the
// reference implementation makes of them: violations of the schema itself, or each object as it is stored and its
// violations.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsinstall "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	definitions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	values "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

type request struct {
	// A whole definition in v1.
	Definition json.RawMessage `json:"definition,omitempty"`
	// Or a schema and writes of objects.
	Schema *apiextensionsv1.JSONSchemaProps `json:"schema,omitempty"`
	Writes []write                          `json:"writes,omitempty"`
}

type write struct {
	Object map[string]json.RawMessage `json:"object"`
	Old    map[string]json.RawMessage `json:"old,omitempty"`
}

type violation struct {
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

type stored struct {
	Object  map[string]any `json:"object,omitempty"`
	Refused string         `json:"refused,omitempty"`
	Errors  []violation    `json:"errors"`
}

type answer struct {
	Errors []violation `json:"errors"`
	Writes []stored    `json:"writes,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	decoder := json.NewDecoder(in)
	encoder := json.NewEncoder(out)
	for decoder.More() {
		var next request
		if err := decoder.Decode(&next); err != nil {
			fail(err)
		}
		reply, err := respond(next)
		if err != nil {
			fail(err)
		}
		if err := encoder.Encode(reply); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func respond(next request) (*answer, error) {
	if next.Definition != nil {
		return checkDefinition(next.Definition)
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(next.Schema, internal, nil); err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil {
		return nil, err
	}
	validator, _, err := values.NewSchemaValidatorForVersion(internal, version.MajorMinor(1, 27))
	if err != nil {
		return nil, err
	}
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	reply := &answer{Errors: []violation{}}
	for _, one := range next.Writes {
		result, err := store(one, structural, validator, rules)
		if err != nil {
			return nil, err
		}
		reply.Writes = append(reply.Writes, *result)
	}
	return reply, nil
}

func checkDefinition(raw json.RawMessage) (*answer, error) {
	scheme := runtime.NewScheme()
	apiextensionsinstall.Install(scheme)
	external := &apiextensionsv1.CustomResourceDefinition{}
	if err := json.Unmarshal(raw, external); err != nil {
		return nil, err
	}
	scheme.Default(external)
	internal := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(external, internal, nil); err != nil {
		return nil, err
	}
	for _, one := range internal.Spec.Versions {
		if one.Storage {
			internal.Status.StoredVersions = []string{one.Name}
		}
	}
	return &answer{Errors: violations(definitions.ValidateCustomResourceDefinition(context.Background(), internal))}, nil
}

// read makes an object of what a client sent: defaulted, pruned, without the nulls that are not allowed.
func read(members map[string]json.RawMessage, structural *structuralschema.Structural) (map[string]any, error) {
	text, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	object := map[string]any{}
	if err := utiljson.Unmarshal(text, &object); err != nil {
		return nil, err
	}
	defaulting.Default(object, structural)
	pruning.Prune(object, structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, structural)
	if err := objectmeta.Coerce(nil, object, structural, false, false); err != nil {
		return nil, err
	}
	return object, nil
}

func store(one write, structural *structuralschema.Structural, validator values.SchemaValidator, rules *cel.Validator) (*stored, error) {
	object, err := read(one.Object, structural)
	if err != nil {
		return &stored{Refused: err.Error(), Errors: []violation{}}, nil
	}
	var errs field.ErrorList
	if one.Old == nil {
		errs = append(errs, values.ValidateCustomResource(nil, object, validator)...)
		errs = append(errs, objectmeta.Validate(context.Background(), nil, object, structural, false)...)
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, object)...)
		errs = append(errs, evaluate(rules, errs, structural, object, nil, nil)...)
		return &stored{Object: object, Errors: violations(errs)}, nil
	}
	old, err := read(one.Old, structural)
	if err != nil {
		return nil, err
	}
	correlated := common.NewCorrelatedObject(object, old, &model.Structural{Structural: structural})
	errs = append(errs, values.ValidateCustomResourceUpdate(nil, object, old, validator, values.WithRatcheting(correlated))...)
	errs = append(errs, objectmeta.Validate(context.Background(), nil, object, structural, false)...)
	if before := listtype.ValidateListSetsAndMaps(nil, structural, old); len(before) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, structural, object)...)
	}
	errs = append(errs, evaluate(rules, errs, structural, object, old, correlated)...)
	return &stored{Object: object, Errors: violations(errs)}, nil
}

// evaluate evaluates the rules of the schema unless the object has errors that keep the server from doing so.
func evaluate(rules *cel.Validator, found field.ErrorList, structural *structuralschema.Structural, object, old map[string]any, correlated *common.CorrelatedObject) field.ErrorList {
	if rules == nil {
		return nil
	}
	for _, err := range found {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return field.ErrorList{field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation")}
		}
	}
	if old == nil {
		errs, _ := rules.Validate(context.Background(), nil, structural, object, nil, celconfig.RuntimeCELCostBudget)
		return errs
	}
	errs, _ := rules.Validate(context.Background(), nil, structural, object, old, celconfig.RuntimeCELCostBudget, cel.WithRatcheting(correlated))
	return errs
}

func violations(errs field.ErrorList) []violation {
	all := []violation{}
	for _, err := range errs {
		all = append(all, violation{Type: string(err.Type), Field: err.Field, Message: err.ErrorBody()})
	}
	return all
}
