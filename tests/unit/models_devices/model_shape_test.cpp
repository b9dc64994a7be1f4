/// @file
/// Parameters, bytes and arithmetic derived from model shapes.
#include <gtest/gtest.h>

#include "models/devices/model_shape.hpp"

namespace specroute::models {
namespace {

TEST(ModelShape, DerivesThePublishedParameterCountOfEveryModel) {
  ASSERT_GE(model_shapes().size(), 14U);
  for (const ModelShape& shape : model_shapes()) {
    const bool stated = shape.published_total > 0;  // EAGLE's heads are stated to two digits
    EXPECT_EQ(stated ? total_parameters(shape) : 0, shape.published_total) << shape.name;
    EXPECT_EQ(find_model_shape(shape.name), &shape);
  }
  EXPECT_EQ(find_model_shape("llama"), nullptr);
}

// Llama-3.1-8B, one layer: queries and output 2 * 4096 * 32 * 128, keys and values
// 2 * 4096 * 8 * 128, together 41,943,040; MLP 3 * 4096 * 14336 = 176,160,768.
// 32 (41,943,040 + 176,160,768) = 6,979,321,856. Head 4096 * 128256 = 525,336,576.
TEST(ModelShape, CountsLayersAndHeadOfAnEightBillionModel) {
  const ModelShape& shape = *find_model_shape("llama-3.1-8b");
  EXPECT_EQ(layer_parameters(shape), 6'979'321'856);
  EXPECT_EQ(head_parameters(shape), 525'336'576);
}

// EAGLE states 0.25B trainable parameters for its Llama-3-8B head: one layer of 218,103,808 and the
// fusion of two vectors, 2 * 4096^2 = 33,554,432. The head is the target's: 525,336,576 more to
// multiply, and the norms 3 * 4096.
TEST(ModelShape, CountsAnEagleHead) {
  const ModelShape& shape = *find_model_shape("eagle-llama-3-8b");
  EXPECT_EQ(layer_parameters(shape), 218'103'808 + 33'554'432);
  EXPECT_EQ(total_parameters(shape), 251'658'240 + 525'336'576 + 12'288);
}

// EAGLE-3 fuses three vectors (50,331,648), attends to two (queries 2 * 4096^2, keys and values
// 4 * 4096 * 1024, output 4096^2) and has a head of 32,000 words.
TEST(ModelShape, CountsAnEagle3Head) {
  const ModelShape& shape = *find_model_shape("eagle3-llama-3.1-8b");
  EXPECT_EQ(layer_parameters(shape),
            50'331'648 + 33'554'432 + 16'777'216 + 16'777'216 + 3 * 4096 * 14336);
  EXPECT_EQ(head_parameters(shape), 4096 * 32000);
}

// Mixtral visits 2 of 8 experts a token: 12.9B active of 46.7B (its publisher's figures).
TEST(ModelShape, ActivatesTwoOfEightExperts) {
  const ModelShape& shape = *find_model_shape("mixtral-8x7b");
  const double active =
      static_cast<double>(active_layer_parameters(shape) + 2 * head_parameters(shape));
  EXPECT_NEAR(active, 12.9e9, 0.05e9);
  EXPECT_NEAR(experts_visited(shape, 1.0), 2.0, 1e-12);
  EXPECT_NEAR(experts_visited(shape, 2.0), 3.5, 1e-12);
  EXPECT_NEAR(experts_visited(shape, 1000.0), 8.0, 1e-12);
}

// bf16: 2 * 8,030,261,248. fp8: the layers' 6,979,321,856 at one byte, the remaining
// 1,050,939,392 (two tables and norms) at two: 9,081,200,640, the size of published checkpoints.
TEST(ModelShape, KeepsTablesAtTwoBytesInAnFp8Model) {
  const ModelShape& shape = *find_model_shape("llama-3.1-8b");
  EXPECT_EQ(weight_bytes(shape, Precision::bf16), Bytes{16'060'522'496.0});
  EXPECT_EQ(weight_bytes(shape, Precision::fp8), Bytes{9'081'200'640.0});
}

// 2 (keys, values) * 32 layers * 8 KV heads * 128 * 2 bytes = 131,072; half of it in fp8.
TEST(ModelShape, KeepsKeysAndValuesOfTheKvHeadsOnly) {
  const ModelShape& shape = *find_model_shape("llama-3.1-8b");
  EXPECT_EQ(kv_bytes_per_token(shape), Bytes{131'072.0});
  EXPECT_EQ(kv_bytes_per_token(shape, 1.0), Bytes{65'536.0});
}

// 4 * 32 layers * 32 heads * 128.
TEST(ModelShape, AttendsWithEveryHead) {
  EXPECT_EQ(attention_flops_per_pair(*find_model_shape("llama-3.1-8b")), Flops{524'288.0});
}

}  // namespace
}  // namespace specroute::models
