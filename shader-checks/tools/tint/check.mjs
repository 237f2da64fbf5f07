// Asks Dawn, and so its compiler Tint, about WGSL: every module, and every pipeline made of it.
//
// Standard input is a JSON array of { text, subgroups, entry_point, constants: [{ name: value }] }.
// The last line of standard output, where Dawn prints as well, answers with an array of arrays of messages,
// empty where nothing is wrong. Warnings count. Dawn's null backend needs no driver, has every feature, and compiles as much as Tint checks.

import { create, globals } from "webgpu";
import { text as read } from "node:stream/consumers";

Object.assign(globalThis, globals);
const gpu = create(["backend=null"]);
const adapter = await gpu.requestAdapter();
const device = await adapter.requestDevice({ requiredFeatures: ["subgroups"] });

// Everything that is refused is also an error of the device's.
const pop = async () => {
  const error = await device.popErrorScope();
  return error ? [error.message] : [];
};

async function problems(shader) {
  const enable = shader.subgroups ? "enable subgroups;\n" : "";
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code: enable + shader.text });
  const { messages } = await module.getCompilationInfo();
  await pop();
  const found = messages.map(({ type, lineNum, message }) => `${type}, line ${lineNum}: ${message}`);
  if (found.length > 0) {
    return found;
  }
  for (const constants of shader.constants) {
    device.pushErrorScope("validation");
    device.createComputePipeline({
      layout: "auto",
      compute: { module, entryPoint: shader.entry_point, constants },
    });
    found.push(...(await pop()));
  }
  return found;
}

const answers = [];
for (const shader of JSON.parse(await read(process.stdin))) {
  answers.push(await problems(shader));
}
process.stdout.write(`\n${JSON.stringify(answers)}\n`);
device.destroy();
