#include "tools/xdmf.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <optional>

namespace carom {

namespace {

constexpr std::int64_t most_items = 200'000;  // slabs in the text, some 300 bytes each

// A block of one row of a dataset: `count` numbers from `start` on, in each extent of the row.
struct Slab {
  std::string path;
  std::vector<std::int64_t> start, count;
};

struct Points {
  std::string name;
  std::int64_t number = 1;
  Slab position;  // two or three numbers a point
  std::vector<std::pair<std::string, Slab>> scalars, vectors;
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string row_list(const std::vector<std::int64_t>& shape, std::int64_t first) {
  std::string text = std::to_string(first);
  for (const std::int64_t extent : shape) text += " " + std::to_string(extent);
  return text;
}

// The slab of sample `row`, as the reader takes it: start, stride and count, then the whole dataset.
std::string slab_item(const RunFileReader& run, const std::string& run_path, const Slab& slab, std::int64_t row) {
  const DatasetInfo& info = run.dataset(slab.path);
  const std::size_t extents = info.shape.size() + 1;
  const std::string stride = row_list(std::vector<std::int64_t>(info.shape.size(), 1), 1);
  return fmt::format(
      "<DataItem ItemType=\"HyperSlab\" Dimensions=\"{0}\"><DataItem Dimensions=\"3 {1}\" Format=\"XML\">{2} {3} {0}"
      "</DataItem><DataItem Dimensions=\"{4}\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">{5}:/{6}"
      "</DataItem></DataItem>",
      row_list(slab.count, 1), extents, row_list(slab.start, row), stride, row_list(info.shape, info.rows),
      escaped(run_path), escaped(info.path));
}

std::string grid(const RunFileReader& run, const std::string& run_path, const Points& points, std::int64_t row) {
  const bool planar = points.position.count.back() == 2;
  std::string text = fmt::format(
      "<Grid Name=\"{}\" GridType=\"Uniform\"><Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\"/>"
      "<Geometry GeometryType=\"{}\">{}</Geometry>",
      escaped(points.name), points.number, planar ? "XY" : "XYZ", slab_item(run, run_path, points.position, row));
  const auto attribute = [&](const std::string& name, const char* type, const Slab& slab) {
    text += fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>", name, type,
                        slab_item(run, run_path, slab, row));
  };
  for (const auto& [name, slab] : points.scalars) attribute(name, "Scalar", slab);
  for (const auto& [name, slab] : points.vectors) attribute(name, "Vector", slab);
  return text + "</Grid>\n";
}

// Where a coordinate of a body is in a row of /u.
std::optional<Slab> velocity_slab(const RunFileReader& run, const std::string& coordinate, std::int64_t count) {
  const DatasetInfo* u = run.find("u");
  if (!u) return std::nullopt;
  const auto found = std::find(u->names.begin(), u->names.end(), coordinate);
  if (found == u->names.end()) return std::nullopt;
  return Slab{"u", {found - u->names.begin()}, {count}};
}

Points body_points(const RunFileReader& run, const DatasetInfo& pose, const std::string& body) {
  Points points;
  points.name = body;
  const bool planar = pose.width() == 3;
  points.position = {pose.path, {0}, {planar ? 2 : 3}};
  const auto scalar = [&](const std::string& name, std::optional<Slab> slab) {
    if (slab) points.scalars.emplace_back(name, *slab);
  };
  const auto vector = [&](const std::string& name, std::optional<Slab> slab) {
    if (slab) points.vectors.emplace_back(name, *slab);
  };
  if (planar) {
    scalar("angle", Slab{pose.path, {2}, {1}});
    scalar("velocity_x", velocity_slab(run, body + ".vx", 1));
    scalar("velocity_y", velocity_slab(run, body + ".vy", 1));
    scalar("angular_velocity", velocity_slab(run, body + ".omega", 1));
    return points;
  }
  const char* const quaternion[] = {"qw", "qx", "qy", "qz"};
  for (std::int64_t i = 0; i < 4; ++i) scalar(quaternion[i], Slab{pose.path, {3 + i}, {1}});
  vector("velocity", velocity_slab(run, body + ".vx", 3));
  vector("angular_velocity", velocity_slab(run, body + ".wx", 3));
  return points;
}

// One table for all bodies.
Points table_points(const DatasetInfo& pose) {
  Points points;
  points.name = "bodies";
  points.number = pose.shape[0];
  const bool planar = pose.shape[1] == 3;
  points.position = {pose.path, {0, 0}, {points.number, planar ? 2 : 3}};
  const auto scalar = [&](const char* name, std::int64_t place) {
    points.scalars.emplace_back(name, Slab{pose.path, {0, place}, {points.number, 1}});
  };
  if (planar) {
    scalar("angle", 2);
  } else {
    scalar("qw", 3);
    scalar("qx", 4);
    scalar("qy", 5);
    scalar("qz", 6);
  }
  return points;
}

std::vector<Points> all_points(const RunFileReader& run) {
  std::vector<Points> points;
  const std::string before = "bodies/", after = "/pose";
  for (const DatasetInfo& info : run.datasets()) {
    if (info.path == "bodies/pose") {
      points.push_back(table_points(info));
    } else if (info.path.rfind(before, 0) == 0 && info.path.size() > before.size() + after.size() &&
               info.path.compare(info.path.size() - after.size(), after.size(), after) == 0) {
      points.push_back(
          body_points(run, info, info.path.substr(before.size(), info.path.size() - before.size() - after.size())));
    }
  }
  if (points.empty()) throw BadRunFile(run.path() + ": has no poses of bodies to draw (output.poses)");
  return points;
}

}  // namespace

Xdmf xdmf_of(const RunFileReader& run, const std::string& run_path) {
  const std::vector<Points> points = all_points(run);
  std::int64_t items = 0;
  for (const Points& p : points) items += 1 + static_cast<std::int64_t>(p.scalars.size() + p.vectors.size());
  Xdmf xdmf;
  xdmf.every = std::max<std::int64_t>(1, (run.samples() * items + most_items - 1) / most_items);
  xdmf.text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
      "<Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  const std::vector<double> time = run.read("time");
  for (std::int64_t row = 0; row < run.samples(); row += xdmf.every, ++xdmf.frames) {
    xdmf.text += fmt::format(
        "<Grid Name=\"sample {}\" GridType=\"Collection\" CollectionType=\"Spatial\"><Time Value=\"{}\"/>\n", row,
        time[static_cast<std::size_t>(row)]);
    for (const Points& p : points) xdmf.text += grid(run, run_path, p, row);
    xdmf.text += "</Grid>\n";
  }
  xdmf.text += "</Grid>\n</Domain>\n</Xdmf>\n";
  return xdmf;
}

}  // namespace carom
