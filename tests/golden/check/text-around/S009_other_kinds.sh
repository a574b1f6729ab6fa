# text in another language is named, with advice what to print instead
try() { "$JAXPR" check; }
try << 'EOF'
module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = stablehlo.sine %arg0 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
EOF
try << 'EOF'
HloModule jit_f, entry_computation_layout={(f32[8]{0})->f32[8]{0}}

ENTRY %main.3 (Arg_0.1: f32[8]) -> f32[8] {
  ROOT %sine.2 = f32[8]{0} sine(f32[8]{0} %Arg_0.1)
}
EOF
try << 'EOF'
module @circuit {
  func.func public @jit_circuit(%arg0: tensor<f64>) -> tensor<f64> {
    %out_qubits = quantum.custom "RX"(%extracted) %1 : !quantum.bit
  }
}
EOF
try << 'EOF'
#loc1 = loc("x")
module @jit_f {
  func.func public @main() { return }
}
EOF
try << 'EOF'
Traceback (most recent call last):
  File "train.py", line 12, in <module>
TypeError: add got incompatible shapes for broadcasting: (3,), (4,).
EOF
printf 'import jax\n\ndef f(x):\n    return x\n' | try
echo 'b:f32[8] = sin a' | try
echo '[b:f32[8] = sin a, c:f32[8] = cos b]' | try
echo "{'loss': Array(0.5, dtype=float32)}" | try
echo '{"loss": 0.5}' | try
echo '<function f at 0x7f3a2c>' | try
echo '(f32[8]) -> f32[8]' | try
echo 'in_type   ((f32[8],True),)' | try
echo 'loss: 0.25' | try
printf ' \n\n' | try
# JSON is named although it holds programs
echo '{"text": "{ lambda ; . let  in () }"}' | try
echo '{"cells": [{"outputs": [{"text": ["{ lambda ; . let  in () }"]}]}], "nbformat": 4}' | try
# text in another language beside a program is ordinary text around it
printf '{ lambda ; . let  in () }\nb:f32[8] = sin a\n' | try
printf 'import jax\n{ lambda ; . let  in () }\n' | try
true
