// Command cel-reference compiles and evaluates expressions with the environment that the reference API server uses for
// validation rules. It reads cases as JSON lines and prints for each what the checker, the cost estimator and the
// evaluator make of it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/openapi"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

type testCase struct {
	Release    string          `json:"release"`
	Expression string          `json:"expression"`
	Schema     json.RawMessage `json:"schema"`
	Self       any             `json:"self"`
}

type observation struct {
	CompileError string `json:"compileError,omitempty"`
	ResultType   string `json:"resultType,omitempty"`
	// Decimal texts: they have 64 bits.
	EstimateMin string `json:"estimateMin,omitempty"`
	EstimateMax string `json:"estimateMax,omitempty"`
	EvalError   string `json:"evalError,omitempty"`
	Result      string `json:"result,omitempty"`
	Cost        string `json:"cost,omitempty"`
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 64<<20)
	output := json.NewEncoder(os.Stdout)
	for input.Scan() {
		var each testCase
		decoder := json.NewDecoder(strings.NewReader(input.Text()))
		decoder.UseNumber()
		err := decoder.Decode(&each)
		if err == nil {
			err = output.Encode(observe(each))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func observe(each testCase) observation {
	var schema spec.Schema
	if err := json.Unmarshal(each.Schema, &schema); err != nil {
		return observation{CompileError: "schema: " + err.Error()}
	}
	declared := openapi.SchemaDeclType(&schema, false).MaybeAssignTypeName("selfType")
	set, err := environment.MustBaseEnvSet(version.MustParse(each.Release)).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", declared.CelType())},
		DeclTypes:         []*apiservercel.DeclType{declared},
	})
	if err != nil {
		return observation{CompileError: "environment: " + err.Error()}
	}
	env := set.NewExpressionsEnv()
	checked, issues := env.Compile(each.Expression)
	if issues != nil {
		return observation{CompileError: issues.String()}
	}
	found := observation{ResultType: checked.OutputType().String()}
	estimate, err := env.EstimateCost(checked, &library.CostEstimator{SizeEstimator: &sizes{declared}})
	if err != nil {
		return observation{CompileError: "estimate: " + err.Error()}
	}
	found.EstimateMin, found.EstimateMax = fmt.Sprint(estimate.Min), fmt.Sprint(estimate.Max)
	program, err := env.Program(checked, cel.CostLimit(1_000_000_000))
	if err != nil {
		found.CompileError = "program: " + err.Error()
		return found
	}
	value := openapi.UnstructuredToVal(numbers(each.Self), &schema)
	result, details, err := program.Eval(map[string]any{"self": value})
	if details != nil && details.ActualCost() != nil {
		found.Cost = fmt.Sprint(*details.ActualCost())
	}
	if err != nil {
		found.EvalError = err.Error()
		return found
	}
	found.Result = show(result)
	return found
}

// The result as the library formats it, or its type where it has no text.
func show(result ref.Val) string {
	if _, ok := result.(*types.Optional); ok {
		return result.Type().TypeName()
	}
	if text, ok := result.Value().(string); ok {
		return text
	}
	switch result.Value().(type) {
	case bool, int64, uint64, float64:
		return fmt.Sprint(result.Value())
	}
	return result.Type().TypeName()
}

// Numbers as the API server reads them from JSON.
func numbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		float, _ := value.Float64()
		return float
	case map[string]any:
		for name := range value {
			value[name] = numbers(value[name])
		}
	case []any:
		for index := range value {
			value[index] = numbers(value[index])
		}
	}
	return value
}

// sizes estimates from declarations, as the API server does for rules of custom resources.
type sizes struct{ root *apiservercel.DeclType }

func (s *sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 {
		return nil
	}
	node := s.root
	for _, name := range element.Path()[1:] {
		switch name {
		case "@items", "@values":
			node = node.ElemType
		case "@keys":
			node = node.KeyType
		default:
			field, ok := node.Fields[name]
			if !ok {
				return nil
			}
			node = field.Type
		}
		if node == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(node.MaxElements)}
}

func (s *sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
