// Checks histories of concurrent clients with porcupine. Each line of the standard input is one history, as a JSON array of operations; each
// line of the output says whether it is linearizable.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// operation is a call of a client and its answer.
type operation struct {
	Client int    `json:"client"`
	Key    string `json:"key"`
	Call   string `json:"call"`
	// Value is written. It is unique among all operations.
	Value string `json:"value"`
	// Known is the value that an update or a deletion is based on.
	Known   string `json:"known"`
	Start   int64  `json:"start"`
	End     int64  `json:"end"`
	Outcome string `json:"outcome"`
	Read    string `json:"read"`
}

// The state of an object is its value; it is empty while there is no object.
var model = porcupine.NondeterministicModel{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byKey := map[string][]porcupine.Operation{}
		for _, one := range history {
			key := one.Input.(operation).Key
			byKey[key] = append(byKey[key], one)
		}
		var parts [][]porcupine.Operation
		for _, part := range byKey {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() []any { return []any{""} },
	Step: func(state, input, output any) []any {
		return step(state.(string), input.(operation))
	},
}

// step returns the states after an operation, of which there are none if it cannot have had its outcome.
func step(state string, op operation) []any {
	switch op.Outcome {
	case "refused":
		return []any{state}
	case "absent":
		return when(state == "", state)
	}
	if op.Call == "get" {
		return when(op.Outcome != "done" || state == op.Read, state)
	}
	after := write(state, op)
	if op.Outcome == "unknown" {
		return append(after, state)
	}
	return after
}

func write(state string, op operation) []any {
	switch op.Call {
	case "create":
		return when(state == "", op.Value)
	case "update":
		return when(state == op.Known, op.Value)
	default:
		return when(state == op.Known, "")
	}
}

func when(holds bool, state string) []any {
	if holds {
		return []any{state}
	}
	return nil
}

func isLinearizable(operations []operation) bool {
	var history []porcupine.Operation
	for _, op := range operations {
		end := op.End
		if op.Outcome == "unknown" {
			// It may still take effect.
			end = math.MaxInt64
		}
		history = append(history, porcupine.Operation{ClientId: op.Client, Input: op, Call: op.Start, Output: nil, Return: end})
	}
	return porcupine.CheckOperationsTimeout(model.ToModel(), history, time.Minute) == porcupine.Ok
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var operations []operation
		if err := json.Unmarshal(lines.Bytes(), &operations); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(isLinearizable(operations))
	}
}
