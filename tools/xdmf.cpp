#include "tools/xdmf.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "tools/outlines.h"
#include "tools/run_file/columns.h"

namespace carom {

namespace {

constexpr std::int64_t most_items = 200'000;  // slabs in the text, some 300 bytes each
constexpr std::int64_t most_outline_bytes = 200'000'000;

// A block of one row of a dataset: `count` numbers from `start` on, in each extent of the row.
struct Slab {
  std::string path;
  std::vector<std::int64_t> start, count;
};

struct Points {
  std::string name;
  std::int64_t number = 1;
  Slab position;  // two or three numbers a point
  std::vector<std::pair<std::string, Slab>> scalars;
  Index first_body = -1;  // of the system, where it is known

  bool planar() const { return position.count.back() == 2; }
};

// The bytes beside the side file, with the name it gives them.
struct OutlineFile {
  MovingOutlines outlines;
  std::string path;
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
        out += static_cast<unsigned char>(c) < ' ' ? '?' : c;  // XML has no control characters
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
      escaped(run_path), escaped(run.group() == "/" ? info.path : run.group().substr(1) + "/" + info.path));
}

std::string bytes_item(const OutlineFile& file, const char* type, const std::string& dimensions, std::int64_t seek) {
  return fmt::format(
      "<DataItem Format=\"Binary\" Endian=\"Little\" NumberType=\"{}\" Precision=\"4\" Dimensions=\"{}\" Seek=\"{}\">{}"
      "</DataItem>",
      type, dimensions, seek, escaped(file.path));
}

std::string attribute(const std::string& name, const char* type, const char* centre, const std::string& item) {
  return fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">{}</Attribute>", name, type, centre,
                     item);
}

std::string points_grid(const RunFileReader& run, const std::string& run_path, const Points& points, std::int64_t row) {
  std::string text = fmt::format(
      "<Grid Name=\"{}\" GridType=\"Uniform\"><Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\"/>"
      "<Geometry GeometryType=\"{}\">{}</Geometry>",
      escaped(points.name), points.number, points.planar() ? "XY" : "XYZ",
      slab_item(run, run_path, points.position, row));
  for (const auto& [name, slab] : points.scalars)
    text += attribute(name, "Scalar", "Node", slab_item(run, run_path, slab, row));
  return text;
}

std::string vectors_of(const Points& points, const OutlineFile& file, std::int64_t frame) {
  if (points.first_body < 0) return {};
  const std::int64_t offset = 12 * points.first_body;
  const auto vector = [&](const char* name, std::int64_t seek) {
    return attribute(name, "Vector", "Node",
                     bytes_item(file, "Float", fmt::format("{} 3", points.number), seek + offset));
  };
  // The angular velocity in /u has the body's axes; arrows are drawn in the world.
  return vector("velocity", file.outlines.velocities_at(frame)) + vector("axis", file.outlines.axes_at(frame)) +
         (points.planar() ? "" : vector("angular_velocity", file.outlines.angular_velocities_at(frame)));
}

// Segments of two points each, in their order: the reader keeps a mesh with stated connectivity for all frames.
std::string segments_grid(const OutlineFile& file, const char* name, std::int64_t segments, std::int64_t points_at,
                          std::int64_t bodies_at) {
  if (segments == 0) return {};
  return fmt::format(
             "<Grid Name=\"{}\" GridType=\"Uniform\"><Topology TopologyType=\"Polyline\" NodesPerElement=\"2\" "
             "NumberOfElements=\"{}\"/><Geometry GeometryType=\"XYZ\">{}</Geometry>",
             name, segments, bytes_item(file, "Float", fmt::format("{} 3", 2 * segments), points_at)) +
         attribute("body", "Scalar", "Cell", bytes_item(file, "Int", std::to_string(segments), bodies_at)) +
         "</Grid>\n";
}

// What stays is in the bytes once, for all frames.
std::string outlines_grids(const OutlineFile& file, std::int64_t frame) {
  const MovingOutlines& lines = file.outlines;
  return segments_grid(file, "outlines", lines.moving, lines.points_at(frame), 0) +
         segments_grid(file, "fixed outlines", lines.staying, lines.staying_points_at(), lines.bodies_of_staying_at());
}

// Where a coordinate of a body is in a row of /u.
std::optional<Slab> velocity_slab(const RunFileReader& run, const std::string& coordinate) {
  const DatasetInfo* u = run.find("u");
  if (!u) return std::nullopt;
  const auto found = std::find(u->names.begin(), u->names.end(), coordinate);
  if (found == u->names.end()) return std::nullopt;
  return Slab{"u", {found - u->names.begin()}, {1}};
}

Points body_points(const RunFileReader& run, const DatasetInfo& pose, const std::string& body) {
  Points points;
  points.name = body;
  const bool planar = pose.width() == 3;
  points.position = {pose.path, {0}, {planar ? 2 : 3}};
  const auto scalar = [&](const std::string& name, std::optional<Slab> slab) {
    if (slab) points.scalars.emplace_back(name, *slab);
  };
  if (planar) {
    scalar("angle", Slab{pose.path, {2}, {1}});
    scalar("angular_velocity", velocity_slab(run, body + ".omega"));
    return points;
  }
  const char* const quaternion[] = {"qw", "qx", "qy", "qz"};
  for (std::int64_t i = 0; i < 4; ++i) scalar(quaternion[i], Slab{pose.path, {3 + i}, {1}});
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

// Bodies of a system by the names of their groups in a run file.
std::map<std::string, Index> bodies_by_link(const System* system) {
  std::map<std::string, Index> bodies;
  if (!system) return bodies;
  std::set<std::string> taken;
  for (const std::string& body : system->poses().bodies) {
    const auto index = static_cast<Index>(bodies.size());
    bodies[link_name(body, taken)] = index;
  }
  return bodies;
}

std::vector<Points> all_points(const RunFileReader& run, const System* system) {
  std::vector<Points> points;
  const std::map<std::string, Index> bodies = bodies_by_link(system);
  const std::string before = "bodies/", after = "/pose";
  for (const DatasetInfo& info : run.datasets()) {
    if (info.path == "bodies/pose") {
      points.push_back(table_points(info));
      if (static_cast<std::size_t>(points.back().number) == bodies.size()) points.back().first_body = 0;
    } else if (info.path.rfind(before, 0) == 0 && info.path.size() > before.size() + after.size() &&
               info.path.compare(info.path.size() - after.size(), after.size(), after) == 0) {
      const std::string body = info.path.substr(before.size(), info.path.size() - before.size() - after.size());
      points.push_back(body_points(run, info, body));
      if (const auto known = bodies.find(body); known != bodies.end()) points.back().first_body = known->second;
    }
  }
  return points;
}

bool has_state(const RunFileReader& run, const System& system) {
  const DatasetInfo *q = run.find("q"), *u = run.find("u");
  return q && u && q->width() == static_cast<std::int64_t>(system.positions().size()) &&
         u->width() == static_cast<std::int64_t>(system.velocities().size());
}

Vec row_of(const RunFileReader& run, const char* path, std::int64_t row) {
  const std::vector<double> values = run.read(path, row, 1);
  return Eigen::Map<const Vec>(values.data(), static_cast<Index>(values.size()));
}

std::int64_t items_a_frame(const std::vector<Points>& points) {
  std::int64_t items = 4;  // of the outlines
  for (const Points& p : points) items += 4 + static_cast<std::int64_t>(p.scalars.size());
  return items;
}

// So many samples a frame that the files stay small enough.
std::int64_t sparing(std::int64_t samples, std::int64_t a_frame, std::int64_t most) {
  return std::max<std::int64_t>(1, (samples * a_frame + most - 1) / most);
}

}  // namespace

Xdmf xdmf_of(const RunFileReader& run, const System* system, const std::string& run_path,
             const std::string& outlines_path) {
  const std::vector<Points> points = all_points(run, system);
  const bool drawn = system && has_state(run, *system);
  if (points.empty() && !drawn)
    throw BadRunFile(run.path() +
                     ": has neither poses nor the state of its bodies to draw: output.record left them out");
  Xdmf xdmf;
  xdmf.every = sparing(run.samples(), items_a_frame(points), most_items);
  if (drawn)
    xdmf.every = std::max(xdmf.every, sparing(run.samples(), outline_bytes_a_frame(*system), most_outline_bytes));
  OutlineFile file{{}, outlines_path};
  if (drawn) {
    std::vector<MovingState> states;
    for (std::int64_t row = 0; row < run.samples(); row += xdmf.every)
      states.push_back({row_of(run, "q", row), row_of(run, "u", row)});
    file.outlines = outlines_of(*system, states);
  }
  xdmf.text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
      "<Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  const std::vector<double> time = run.read("time");
  for (std::int64_t row = 0; row < run.samples(); row += xdmf.every, ++xdmf.frames) {
    xdmf.text += fmt::format(
        "<Grid Name=\"sample {}\" GridType=\"Collection\" CollectionType=\"Spatial\"><Time Value=\"{}\"/>\n", row,
        time[static_cast<std::size_t>(row)]);
    for (const Points& p : points)
      xdmf.text += points_grid(run, run_path, p, row) + (drawn ? vectors_of(p, file, xdmf.frames) : "") + "</Grid>\n";
    if (drawn) xdmf.text += outlines_grids(file, xdmf.frames);
    xdmf.text += "</Grid>\n";
  }
  xdmf.text += "</Grid>\n</Domain>\n</Xdmf>\n";
  xdmf.outlines = std::move(file.outlines.bytes);
  return xdmf;
}

}  // namespace carom
