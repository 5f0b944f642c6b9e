// Command cel-suite prints the conformance tests of the language as JSON, one test a line, for tests in another language: the
// files are in Protobuf's text format, with messages that only their own module describes.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
	"cel.dev/expr/conformance/test"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
)

type line struct {
	File    string          `json:"file"`
	Section string          `json:"section"`
	Test    json.RawMessage `json:"test"`
}

func main() {
	files, err := filepath.Glob(filepath.Join(os.Args[1], "tests", "simple", "testdata", "*.textproto"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no tests in %s", os.Args[1])
	}
	for _, file := range files {
		if err == nil {
			err = printFile(file)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func printFile(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var file test.SimpleTestFile
	if err := prototext.Unmarshal(text, &file); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	output := json.NewEncoder(os.Stdout)
	name := strings.TrimSuffix(filepath.Base(path), ".textproto")
	for _, section := range file.Section {
		for _, each := range section.Test {
			encoded, err := protojson.Marshal(each)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", path, each.Name, err)
			}
			if err := output.Encode(line{name, section.Name, encoded}); err != nil {
				return err
			}
		}
	}
	return nil
}
